#pragma once

#include <cerrno>
#include <string>
#include <system_error>

namespace beeline {

// The environment failed: a disk, a socket, a permission. It is thrown, since no frame between the
// system call and the thread's loop can act on it; each thread catches it once.
class IoError : public std::system_error {
 public:
  IoError(int error, const std::string& what)
      : std::system_error(error, std::generic_category(), what) {}
};

// True if the disk, or the user's quota on it, had no room. Nothing is broken then: the same call
// may succeed later.
[[nodiscard]] inline bool is_out_of_room(const IoError& error) {
  return error.code().value() == ENOSPC || error.code().value() == EDQUOT;
}

}  // namespace beeline
