#pragma once

#include <cerrno>
#include <string>
#include <system_error>

namespace beeline {

// The environment failed us: a disk, a socket, a permission. Thrown, since no frame between the
// system call and the thread's loop can act on it; caught once per thread.
class IoError : public std::system_error {
 public:
  IoError(int error, const std::string& what)
      : std::system_error(error, std::generic_category(), what) {}
};

// True when the disk, or the user's quota on it, had no room. Nothing is broken then: the same call
// may succeed later.
[[nodiscard]] inline bool is_out_of_room(const IoError& error) {
  return error.code().value() == ENOSPC || error.code().value() == EDQUOT;
}

}  // namespace beeline
