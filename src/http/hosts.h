#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.h"

namespace beeline::http {

// The names under which clients may address the server. An attacker can let the name of a web page
// point to this machine (DNS rebinding), and then the page can send requests here; but the browser
// writes the page's name into Host and Origin. So requests with any other name are refused.
//
// Loopback names and addresses are always allowed, and so is the address to which the client has
// connected; `names` are allowed in addition. Ports are not compared, because they may be mapped.
//
// Threading: immutable, so any thread may call it.
class AllowedHosts {
 public:
  explicit AllowedHosts(std::vector<std::string> names) : names_(std::move(names)) {}

  // True if `authority` (HOST or HOST:PORT, as in the Host header) is allowed on a connection to
  // `local_address`, which is an IP address as text.
  [[nodiscard]] bool allows(std::string_view authority, std::string_view local_address) const;

  // Returns the answer to a request that must not be served: 421 for a Host or an Origin that is
  // not allowed, 400 for more than one Host. Returns nothing if the request may be served. A
  // request without Host is an HTTP/1.0 request, or the caller has refused it; no browser sends
  // one.
  [[nodiscard]] std::optional<Response> refuse(const std::vector<NameValue>& headers,
                                               std::string_view local_address) const;

 private:
  std::vector<std::string> names_;
};

}  // namespace beeline::http
