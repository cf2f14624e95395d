#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "gateway/command_sender.h"
#include "http/message.h"
#include "http/router.h"
#include "record/values.h"

// The REST endpoints under /api/workflow: messages for those who know a business key and nothing of
// process instances.
//
//     POST /api/workflow/message
//     {"messageName": "paid", "correlationKey": "order-1", "variables": {"amount": 19}}
namespace beeline::http {

inline constexpr std::string_view kMessagePath = "/api/workflow/message";
// How long a sender is kept waiting to hear who took its message.
inline constexpr Milliseconds kMessageAnswerTimeout{10'000};

// What a request for kMessagePath asks for, or the answer that says what is wrong with it.
[[nodiscard]] Result<record::MessageCorrelationRecord, Response> read_message(
    const Request& request);

// Correlates a message, which is never buffered, and answers once that is committed: 200 with the
// instance that took it, 404 when nobody waits for it.
void correlate_message(const Request& request, Responder responder,
                       gateway::CommandSender& commands, std::int32_t partition_count,
                       Milliseconds timeout);

}  // namespace beeline::http
