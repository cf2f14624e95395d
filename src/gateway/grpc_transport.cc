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
#include <optional>
#include <string>
#include <utility>

#include "base/io_error.h"
#include "base/mutex.h"
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

// Reads the compression of a message. gRPC stores it with the message's bytes and exposes it only
// through protected members of this class.
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

// Returns the bytes of a request, decompressed if necessary. The limit applies to the decompressed
// bytes; gRPC has checked the bytes that were received.
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

// A call's state, shared by gRPC's reactor and the code that still has to answer. The reactor lives
// until Finish() has taken effect, so it may be used up to our one Finish() and never after; the
// mutex ensures this. gRPC never calls back from within Start...() or Finish(), so it is safe to
// hold the mutex around them.
class GrpcCall final : public Call {
 public:
  explicit GrpcCall(Reactor* reactor) : reactor_(reactor) {}

  void send_headers() override;
  void send_bytes(std::string message, Written written) override;
  void finish(Status status) override;
  [[nodiscard]] bool is_open() const override {
    const MutexLock lock{mutex_};
    return !ending_ && !gone_;
  }
  void on_closed(absl::AnyInvocable<void()> closed) override;

  // Called by the reactor.
  void write_done(bool taken);
  void client_gone();

 private:
  struct Outgoing {
    grpc::ByteBuffer buffer;
    Written written;
  };

  // Starts the next operation: the next write, or the end.
  void advance_locked() BEELINE_REQUIRES(mutex_);

  mutable Mutex mutex_;
  Reactor* reactor_ BEELINE_GUARDED_BY(mutex_);  // null after Finish()
  std::deque<Outgoing> queue_ BEELINE_GUARDED_BY(mutex_);
  std::optional<Outgoing> writing_ BEELINE_GUARDED_BY(mutex_);
  std::optional<Status> ending_ BEELINE_GUARDED_BY(mutex_);
  bool gone_ BEELINE_GUARDED_BY(mutex_) = false;
  absl::AnyInvocable<void()> closed_ BEELINE_GUARDED_BY(mutex_);
};

// The functions that gRPC calls for one call. It deletes itself when gRPC is done with it, which
// never happens while one of the functions below runs.
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
      // For a call of one request, either the client sent none, or gRPC refused the message; in the
      // latter case gRPC's status is sent instead of ours.
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
  const MutexLock lock{mutex_};
  if (reactor_ != nullptr && !gone_ && !ending_) reactor_->StartSendInitialMetadata();
}

void GrpcCall::send_bytes(std::string message, Written written) {
  {
    const MutexLock lock{mutex_};
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
  const MutexLock lock{mutex_};
  if (ending_ || gone_) return;
  ending_ = std::move(status);
  dropped = std::move(closed_);
  advance_locked();
}

void GrpcCall::on_closed(absl::AnyInvocable<void()> closed) {
  {
    const MutexLock lock{mutex_};
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
    const MutexLock lock{mutex_};
    done = std::exchange(writing_, std::nullopt);
    advance_locked();
  }
  if (done && done->written) done->written(taken);
}

void GrpcCall::client_gone() {
  std::deque<Outgoing> unsent;
  absl::AnyInvocable<void()> closed;
  {
    const MutexLock lock{mutex_};
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

// gRPC reports that it could not listen, but not why. Trying to bind again gives the system's
// reason.
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
    const std::string address = address_of(options_.address.host, options_.address.port);
    grpc::ServerBuilder builder;
    builder.AddListeningPort(address, grpc::InsecureServerCredentials(), &port_);
    builder.RegisterCallbackGenericService(&generic_);
    builder.SetMaxReceiveMessageSize(
        static_cast<int>(std::min<std::size_t>(message_bytes_max_, INT_MAX)));
    // gRPC would decompress a message completely and check its size afterwards; read_bytes()
    // decompresses it instead.
    builder.AddChannelArgument(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
    builder.SetMaxSendMessageSize(-1);  // the makers of messages limit their size
    builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE,
                               static_cast<int>(options_.metadata_bytes_max));
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, clamped(options_.keepalive_time));
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, clamped(options_.keepalive_timeout));
    // Clients ping while they wait, some even without a call; without these settings they would be
    // disconnected.
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
                               clamped(options_.ping_interval_min));
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 0);
    // If two servers shared a port, each would get some of the calls, and nobody would notice.
    builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
    server_ = builder.BuildAndStart();
    if (server_ == nullptr || port_ == 0) {
      server_.reset();
      port_ = 0;
      throw IoError(bind_error(options_.address.host, options_.address.port),
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
