#pragma once

#include "gateway/call.h"
#include "grpc/reflection/v1/reflection.pb.h"

namespace beeline::gateway {

// Answers one question of gRPC's reflection service from the schemas that are linked in. The server
// that grpc++ brings along knows only services registered with it, and ours is not: it takes raw
// bytes.
[[nodiscard]] grpc::reflection::v1::ServerReflectionResponse reflect(
    const grpc::reflection::v1::ServerReflectionRequest& request);

}  // namespace beeline::gateway
