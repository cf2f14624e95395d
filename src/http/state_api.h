#pragma once

#include <string_view>

#include "http/endpoints.h"
#include "http/router.h"
#include "stream/port.h"

// The endpoints under /api/state list the running and waiting entities of a server.
//
//     GET /api/state/jobs?type=ship&state=FAILED&limit=50
//     {"partition": 1, "position": 5120, "items": [...], "cursor": "1-4c00000000000000"}
//
//     GET /api/state/keys/2251799813685251
//     {"partition": 1, "position": 5120, "found": {"kind": "job", ...}}
//
// A page shows one partition at one committed position of its log. It may have fewer items than the
// limit. The cursor, passed as the parameter `cursor` of the next request, continues after the
// page; it is null after the last page. A request can filter by every member of an item.
namespace beeline::http {

inline constexpr std::string_view kStateListPath = "/api/state/{kind}";
inline constexpr std::string_view kStateShowPath = "/api/state/keys/{key}";
// The same list as /api/state/events.
inline constexpr std::string_view kEventsPath = "/api/workflow/events";

// `partitions` must outlive the answer.
void list_state(const Request& request, Responder responder, stream::Partitions& partitions);
void list_events(const Request& request, Responder responder, stream::Partitions& partitions);
void show_state(const Request& request, Responder responder, stream::Partitions& partitions);

void add_state_endpoints(Router& router, const Api& api);

}  // namespace beeline::http
