#include "gateway/reflection.h"

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>

#include <array>
#include <string_view>
#include <vector>

#include "service/text.h"

namespace beeline::gateway {
namespace {

using grpc::reflection::v1::ServerReflectionRequest;
using grpc::reflection::v1::ServerReflectionResponse;

constexpr std::array<std::string_view, 3> kServices = {
    "gateway_protocol.Gateway", "grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection"};

void set_error(ServerReflectionResponse& response, StatusCode code, std::string text) {
  response.mutable_error_response()->set_error_code(static_cast<int>(code));
  response.mutable_error_response()->set_error_message(std::move(text));
}

void not_found(ServerReflectionResponse& response, std::string_view name) {
  set_error(
      response, StatusCode::NotFound,
      fmt::format(
          "Expected to find '{}' among the schemas of this server, but no such schema was found",
          service::first_bytes(name, 256)));
}

// Adds the file and all files that it imports, each once.
void add_file(const google::protobuf::FileDescriptor* file, ServerReflectionResponse& response) {
  absl::flat_hash_set<const google::protobuf::FileDescriptor*> seen{file};
  std::vector<const google::protobuf::FileDescriptor*> files{file};
  for (std::size_t i = 0; i < files.size(); ++i) {
    google::protobuf::FileDescriptorProto description;
    files[i]->CopyTo(&description);
    description.SerializeToString(
        response.mutable_file_descriptor_response()->add_file_descriptor_proto());
    for (int d = 0; d < files[i]->dependency_count(); ++d) {
      if (seen.insert(files[i]->dependency(d)).second) files.push_back(files[i]->dependency(d));
    }
  }
}

}  // namespace

ServerReflectionResponse reflect(const ServerReflectionRequest& request) {
  const google::protobuf::DescriptorPool& pool =
      *google::protobuf::DescriptorPool::generated_pool();
  ServerReflectionResponse response;
  response.set_valid_host(request.host());
  *response.mutable_original_request() = request;
  switch (request.message_request_case()) {
    case ServerReflectionRequest::kListServices:
      for (const std::string_view name : kServices) {
        response.mutable_list_services_response()->add_service()->set_name(std::string(name));
      }
      break;
    case ServerReflectionRequest::kFileByFilename:
      if (const auto* file = pool.FindFileByName(request.file_by_filename())) {
        add_file(file, response);
      } else {
        not_found(response, request.file_by_filename());
      }
      break;
    case ServerReflectionRequest::kFileContainingSymbol:
      if (const auto* file = pool.FindFileContainingSymbol(request.file_containing_symbol())) {
        add_file(file, response);
      } else {
        not_found(response, request.file_containing_symbol());
      }
      break;
    case ServerReflectionRequest::kAllExtensionNumbersOfType:
      // Our schemas have no extensions.
      if (pool.FindMessageTypeByName(request.all_extension_numbers_of_type()) != nullptr) {
        response.mutable_all_extension_numbers_response()->set_base_type_name(
            request.all_extension_numbers_of_type());
      } else {
        not_found(response, request.all_extension_numbers_of_type());
      }
      break;
    case ServerReflectionRequest::kFileContainingExtension:
      not_found(response, request.file_containing_extension().containing_type());
      break;
    case ServerReflectionRequest::MESSAGE_REQUEST_NOT_SET:
      set_error(response, StatusCode::InvalidArgument,
                "Expected a request for the schemas of this server, but it is empty");
      break;
  }
  return response;
}

}  // namespace beeline::gateway
