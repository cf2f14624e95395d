#pragma once

#include <stdexcept>

namespace beeline::state {

// The checkpoint store holds something that this version cannot read. The start stops with it.
class StoreError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace beeline::state
