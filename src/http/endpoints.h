#pragma once

#include <functional>
#include <string_view>

#include "http/router.h"
#include "service/service.h"

namespace beeline::http {

// The parts of the server that endpoints use. The service must outlive the router.
struct Api {
  service::Service& service;
  // True while the server runs. While it starts and stops, endpoints that need the engine answer
  // 503.
  std::function<bool()> is_running;
};

// Returns a handler that answers 503 with `refusal` unless the server runs.
[[nodiscard]] Handler while_running(const Api& api, std::string_view refusal, Handler handler);

// Adds all endpoints that need the engine. Each file of endpoints has one line in endpoints.cc.
void add_endpoints(Router& router, const Api& api);

}  // namespace beeline::http
