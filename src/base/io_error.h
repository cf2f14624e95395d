#pragma once

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

}  // namespace beeline
