#pragma once

#include <string>
#include <string_view>

namespace beeline::engine {

// Returns the key of an entity that is known by an id within its tenant.
inline std::string name_key(std::string_view tenant, std::string_view id) {
  std::string key{tenant};
  key += '\0';
  key += id;
  return key;
}

}  // namespace beeline::engine
