#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.h"

namespace beeline::http {

// The names under which the server may be asked. A web page whose name an attacker lets point to
// this machine (DNS rebinding) can send requests here, but the browser writes the page's name into
// Host and Origin; so requests that name anything else are refused.
//
// Loopback names and addresses are always allowed, and so is the address to which the client has
// connected; `names` are the further ones. Ports are not compared: they may be mapped.
//
// Threading: unchanging, so any thread.
class AllowedHosts {
 public:
  explicit AllowedHosts(std::vector<std::string> names) : names_(std::move(names)) {}

  // Whether `authority` (HOST or HOST:PORT, as the Host header has it) is allowed on a connection
  // that was made to `local_address`, which is an IP address as text.
  [[nodiscard]] bool allows(std::string_view authority, std::string_view local_address) const;

  // The answer to a request that must not be served: 421 for a Host or an Origin that is not
  // allowed, 400 for more than one Host. Nothing when it may be served. A request without Host is
  // of HTTP/1.0, or the caller has refused it; no browser sends one.
  [[nodiscard]] std::optional<Response> refuse(const std::vector<NameValue>& headers,
                                               std::string_view local_address) const;

 private:
  std::vector<std::string> names_;
};

}  // namespace beeline::http
