#include "gateway/grpc_transport.h"

#include <fmt/format.h>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/support/proto_buffer_reader.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "base/io_error.h"
#include "gateway/inflate.h"
#include "service/text.h"

namespace beeline::gateway {
namespace {

grpc::Status to_grpc(const Status& status) {
  return {static_cast<grpc::StatusCode>(status.code),
          std::string(service::first_encoded_bytes(status.text, kStatusTextBytesMax))};
}

grpc::ByteBuffer to_buffer(const std::string& message) {
  const grpc::Slice slice(message);
  return grpc::ByteBuffer(&slice, 1);
}

// Reads the compression of a message. gRPC keeps it with the message's bytes and shows it nowhere
// else; the class's protected members are what gRPC offers for this.
class CompressionReader final : public grpc::ProtoBufferReader {
 public:
  explicit CompressionReader(grpc::ByteBuffer& message) : grpc::ProtoBufferReader(&message) {}
  [[nodiscard]] std::optional<Compression> compression() {
    if (!status().ok()) return std::nullopt;
    switch (reader()->buffer_in->data.raw.compression) {
      case GRPC_COMPRESS_GZIP:
        return Compression::Gzip;
      case GRPC_COMPRESS_DEFLATE:
        return Compression::Deflate;
      case GRPC_COMPRESS_NONE:
      case GRPC_COMPRESS_ALGORITHMS_COUNT:
        break;
    }
    return std::nullopt;
  }
};

std::string_view view(const grpc::Slice& slice) {
  return {reinterpret_cast<const char*>(slice.begin()), slice.size()};
}

// The bytes of a request, unpacked where it is compressed. The limit holds for what they unpack to;
// gRPC has checked it for what came over the wire.
Result<std::string, Status> read_bytes(grpc::ByteBuffer& message, std::size_t bytes_max) {
  std::vector<grpc::Slice> slices;
  if (!message.Dump(&slices).ok()) return std::string{};
  if (const auto compression = CompressionReader(message).compression()) {
    Inflater inflater(*compression, bytes_max);
    for (const grpc::Slice& slice : slices) inflater.add(view(slice));
    return inflater.finish();
  }
  std::string bytes;
  bytes.reserve(message.Length());
  for (const grpc::Slice& slice : slices) bytes.append(view(slice));
  return bytes;
}

class Reactor;

// A call's state, shared by gRPC's reactor and whoever still has to answer. The reactor lives until
// Finish() has taken effect, so it may be touched up to our one Finish() and never after; the mutex
// keeps the two apart. gRPC never calls back from within Start...() or Finish(), so holding the
// mutex around them is safe.
class GrpcCall final : public Call {
 public:
  explicit GrpcCall(Reactor* reactor) : reactor_(reactor) {}

  void send_headers() override;
  void send_bytes(std::string message, Written written) override;
  void finish(Status status) override;
  [[nodiscard]] bool is_open() const override {
    const std::scoped_lock lock(mutex_);
    return !ending_ && !gone_;
  }
  void on_closed(absl::AnyInvocable<void()> closed) override;

  // From the reactor.
  void write_done(bool taken);
  void client_gone();

 private:
  struct Outgoing {
    grpc::ByteBuffer buffer;
    Written written;
  };

  // Starts what can be started: the next write, or the end.
  void advance_locked();

  mutable std::mutex mutex_;
  Reactor* reactor_;  // null after Finish()
  std::deque<Outgoing> queue_;
  std::optional<Outgoing> writing_;
  std::optional<Status> ending_;
  bool gone_ = false;
  absl::AnyInvocable<void()> closed_;
};

// What gRPC calls for one call. Deletes itself when gRPC is done with it, which is never while one
// of the functions below runs.
class Reactor final : public grpc::ServerGenericBidiReactor {
 public:
  Reactor(Methods& methods, std::size_t message_bytes_max,
          const grpc::GenericCallbackServerContext& context)
      : methods_(methods),
        message_bytes_max_(message_bytes_max),
        method_(context.method()),
        kind_(Methods::kind_of(method_)),
        call_(std::make_shared<GrpcCall>(this)) {
    const auto tenant = context.client_metadata().find("camunda-physical-tenant");
    if (tenant != context.client_metadata().end()) {
      origin_.physical_tenant.assign(tenant->second.data(), tenant->second.size());
    }
    if (kind_ == MethodKind::Unknown) {
      call_->finish(Methods::unknown_method(method_));
    } else {
      StartRead(&request_);
    }
  }

  void OnReadDone(bool read) override {
    if (!read) {
      // For a call of one request this is either a client that sent none, or a message that gRPC
      // refused; then gRPC's status is the one that is sent, whatever we say.
      call_->finish(kind_ == MethodKind::ManyRequests
                        ? ok()
                        : invalid_argument("Expected the call to carry a request, but it ended "
                                           "without one"));
      return;
    }
    const Result<std::string, Status> bytes = read_bytes(request_, message_bytes_max_);
    request_.Clear();
    if (bytes) {
      methods_.handle(method_, origin_, *bytes, call_);
    } else {
      call_->finish(bytes.error());
    }
    if (kind_ == MethodKind::ManyRequests && call_->is_open()) StartRead(&request_);
  }

  void OnWriteDone(bool taken) override { call_->write_done(taken); }
  void OnCancel() override { call_->client_gone(); }
  void OnDone() override { delete this; }

 private:
  Methods& methods_;
  const std::size_t message_bytes_max_;
  std::string method_;
  CallOrigin origin_;
  const MethodKind kind_;
  grpc::ByteBuffer request_;
  const std::shared_ptr<GrpcCall> call_;
};

void GrpcCall::send_headers() {
  const std::scoped_lock lock(mutex_);
  if (reactor_ != nullptr && !gone_ && !ending_) reactor_->StartSendInitialMetadata();
}

void GrpcCall::send_bytes(std::string message, Written written) {
  {
    std::unique_lock lock(mutex_);
    if (!gone_ && !ending_) {
      queue_.push_back({to_buffer(message), std::move(written)});
      advance_locked();
      return;
    }
  }
  if (written) written(false);
}

void GrpcCall::finish(Status status) {
  absl::AnyInvocable<void()> dropped;
  const std::scoped_lock lock(mutex_);
  if (ending_ || gone_) return;
  ending_ = std::move(status);
  dropped = std::move(closed_);
  advance_locked();
}

void GrpcCall::on_closed(absl::AnyInvocable<void()> closed) {
  {
    const std::scoped_lock lock(mutex_);
    if (!gone_) {
      if (!ending_) closed_ = std::move(closed);
      return;
    }
  }
  closed();
}

void GrpcCall::write_done(bool taken) {
  std::optional<Outgoing> done;
  {
    const std::scoped_lock lock(mutex_);
    done = std::exchange(writing_, std::nullopt);
    advance_locked();
  }
  if (done && done->written) done->written(taken);
}

void GrpcCall::client_gone() {
  std::deque<Outgoing> unsent;
  absl::AnyInvocable<void()> closed;
  {
    const std::scoped_lock lock(mutex_);
    if (gone_) return;
    gone_ = true;
    unsent.swap(queue_);
    closed = std::exchange(closed_, nullptr);
    if (!ending_) ending_ = Status{StatusCode::Cancelled, "The client is gone"};
    advance_locked();
  }
  for (Outgoing& outgoing : unsent) {
    if (outgoing.written) outgoing.written(false);
  }
  if (closed) closed();
}

void GrpcCall::advance_locked() {
  if (reactor_ == nullptr || writing_) return;
  if (!queue_.empty()) {
    writing_ = std::move(queue_.front());
    queue_.pop_front();
    reactor_->StartWrite(&writing_->buffer);
  } else if (ending_) {
    std::exchange(reactor_, nullptr)->Finish(to_grpc(*ending_));
  }
}

class GenericService final : public grpc::CallbackGenericService {
 public:
  GenericService(Methods& methods, std::size_t message_bytes_max)
      : methods_(methods), message_bytes_max_(message_bytes_max) {}
  grpc::ServerGenericBidiReactor* CreateReactor(
      grpc::GenericCallbackServerContext* context) override {
    return new Reactor(methods_, message_bytes_max_, *context);
  }

 private:
  Methods& methods_;
  const std::size_t message_bytes_max_;
};

int clamped(Milliseconds duration) {
  return static_cast<int>(std::min<std::int64_t>(duration.count(), INT_MAX));
}

// gRPC says that it could not listen, but not why: the system does when asked again.
int bind_error(const std::string& host, int port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), fmt::format("{}", port).c_str(), &hints, &found) != 0) {
    return EADDRNOTAVAIL;
  }
  int error = EADDRINUSE;
  const int handle = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
  if (handle >= 0) {
    if (bind(handle, found->ai_addr, found->ai_addrlen) != 0) error = errno;
    close(handle);
  }
  freeaddrinfo(found);
  return error;
}

// An IPv6 address needs brackets before a port.
std::string address_of(const std::string& host, int port) {
  const bool is_ipv6 = host.find(':') != std::string::npos && host.front() != '[';
  return is_ipv6 ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

}  // namespace

class GrpcTransport::Impl {
 public:
  Impl(const GatewayOptions& options, std::size_t message_bytes_max, Methods& methods)
      : options_(options),
        message_bytes_max_(message_bytes_max),
        generic_(methods, message_bytes_max) {}

  void start() {
    const std::string address = address_of(options_.host, options_.port);
    grpc::ServerBuilder builder;
    builder.AddListeningPort(address, grpc::InsecureServerCredentials(), &port_);
    builder.RegisterCallbackGenericService(&generic_);
    builder.SetMaxReceiveMessageSize(
        static_cast<int>(std::min<std::size_t>(message_bytes_max_, INT_MAX)));
    // gRPC would unpack a compressed message whatever it unpacks to, and check the size afterwards;
    // read_bytes() unpacks it instead.
    builder.AddChannelArgument(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
    builder.SetMaxSendMessageSize(-1);  // what we send is bounded where it is made
    builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE,
                               static_cast<int>(options_.metadata_bytes_max));
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, clamped(options_.keepalive_time));
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, clamped(options_.keepalive_timeout));
    // Clients ping while they wait, some even without a call; without these they would be cut off.
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
                               clamped(options_.ping_interval_min));
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 0);
    // Two servers on one port would each get some of the calls, and nobody would notice.
    builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
    server_ = builder.BuildAndStart();
    if (server_ == nullptr || port_ == 0) {
      server_.reset();
      port_ = 0;
      throw IoError(bind_error(options_.host, options_.port),
                    fmt::format("Expected to listen for gRPC on {}, but could not", address));
    }
  }

  [[nodiscard]] int port() const { return port_; }

  void stop(Milliseconds grace) {
    if (server_ == nullptr) return;
    server_->Shutdown(std::chrono::system_clock::now() + grace);
    server_.reset();
  }

 private:
  const GatewayOptions options_;
  const std::size_t message_bytes_max_;
  GenericService generic_;
  std::unique_ptr<grpc::Server> server_;
  int port_ = 0;
};

GrpcTransport::GrpcTransport(const GatewayOptions& options, std::size_t message_bytes_max,
                             Methods& methods)
    : impl_(std::make_unique<Impl>(options, message_bytes_max, methods)) {}
GrpcTransport::~GrpcTransport() {
  stop(Milliseconds{0});
}
void GrpcTransport::start() {
  impl_->start();
}
int GrpcTransport::port() const {
  return impl_->port();
}
void GrpcTransport::stop(Milliseconds grace) {
  impl_->stop(grace);
}

}  // namespace beeline::gateway
