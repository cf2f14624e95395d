#include "http/endpoints.h"

#include <string>
#include <utility>

#include "http/job_streams_api.h"
#include "http/signal_api.h"
#include "http/state_api.h"
#include "http/workflow_api.h"

namespace beeline::http {

Handler while_running(const Api& api, std::string_view refusal, Handler handler) {
  return [is_running = api.is_running, refusal = std::string(refusal),
          handler = std::move(handler)](const Request& request, Responder responder) {
    if (!is_running()) return responder.answer(problem(503, refusal));
    handler(request, std::move(responder));
  };
}

void add_endpoints(Router& router, const Api& api) {
  add_workflow_endpoints(router, api);
  add_signal_endpoints(router, api);
  add_state_endpoints(router, api);
  add_job_streams_endpoints(router, api);
}

}  // namespace beeline::http
