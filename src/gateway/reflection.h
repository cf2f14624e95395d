#pragma once

#include "gateway/call.h"
#include "grpc/reflection/v1/reflection.pb.h"

namespace beeline::gateway {

// Answers one request of gRPC's reflection service from the linked schemas. The reflection service
// of grpc++ knows only services that are registered with it, and ours is not, because it receives
// raw bytes.
[[nodiscard]] grpc::reflection::v1::ServerReflectionResponse reflect(
    const grpc::reflection::v1::ServerReflectionRequest& request);

}  // namespace beeline::gateway
