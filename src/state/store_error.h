#pragma once

#include <stdexcept>

namespace beeline::state {

// This version cannot read the contents of the checkpoint store. The start stops with it.
class StoreError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace beeline::state
