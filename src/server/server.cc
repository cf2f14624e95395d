#include "server/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <utility>

#include "base/io_error.h"
#include "base/log.h"
#include "exporter/position_file.h"
#include "http/endpoints.h"
#include "server/exporters.h"
#include "server/metrics.h"
#include "server/partition_folder.h"
#include "server/settings_text.h"
#include "server/version.h"

namespace beeline::server {
namespace {

// How often a start that found the disk full is tried again.
constexpr std::chrono::seconds kRoomRetry{1};

[[noreturn]] void throw_address_error(std::string_view setting, const Address& address,
                                      const IoError& error) {
  if (error.code().value() == EADDRINUSE) {
    throw StartError(
        fmt::format("The address {} is already in use; stop the program that uses it or choose "
                    "another with --{}.",
                    to_text(address), setting));
  }
  throw StartError(fmt::format("The address {} cannot be served ({}); choose another with --{}.",
                               to_text(address), std::strerror(error.code().value()), setting));
}

// Returns the number of partitions of the directory, which its first start determines: keys contain
// their partition, and the number of partitions determines where messages are stored.
std::int32_t partitions_of(journal::DataDirectory& directory, journal::Disk& disk,
                           std::int32_t wanted) {
  // Directories from before this was recorded have a folder for each partition.
  const auto folders = std::ranges::count_if(
      disk.list(directory.path()),
      [](const std::string& name) { return name.starts_with(kPartitionFolder); });
  const std::string kept =
      directory.keep("partitions", fmt::format("{}", folders != 0 ? folders : wanted));
  const std::int32_t count = recorded_partitions(kept);
  if (count < 1) {
    throw StartError(fmt::format(
        "The file {}/beeline.partitions is damaged: it must contain the number of partitions, "
        "which is {} if no folder is missing; restore the file or write this number into it.",
        directory.path(), folders));
  }
  return count;
}

// Throws if the folder of a partition is missing although another one has a log: the first start
// creates all folders before it writes the first record.
void check_folders(const journal::DataDirectory& directory, journal::Disk& disk,
                   std::int32_t partitions) {
  std::string missing;
  bool has_log = false;
  for (std::int32_t number = 1; number <= partitions; ++number) {
    const std::string folder = directory.path_of(fmt::format("{}{}", kPartitionFolder, number));
    if (!disk.exists(folder)) {
      if (missing.empty()) missing = folder;
      continue;
    }
    const std::string log = folder + "/journal";
    has_log = has_log ||
              (disk.exists(log) && std::ranges::any_of(disk.list(log), [](const std::string& name) {
                 return name.starts_with("segment-");
               }));
  }
  if (missing.empty() || !has_log) return;
  throw StartError(fmt::format(
      "The folder {} is missing, though other partitions have a log; restore the data directory "
      "from a backup.",
      missing));
}

}  // namespace

Server::Server(Settings settings, const Clock& clock)
    : settings_(std::move(settings)), clock_(clock), started_at_(clock.now()) {}

Server::~Server() {
  stop();
}

void Server::start(std::function<void(const std::string&)> on_failure) {
  on_failure_ = std::move(on_failure);
  log::info("beeline {} starts data={} partitions={}", kVersion, settings_.data,
            settings_.partitions.count);
  warn_of_exposure();
  make_partitions();
  make_service();
  // This comes before HTTP, so an unusable directory is reported first.
  const bool has_directory = open_data_directory();
  start_http();
  const bool is_open = has_directory && open_partitions();
  if (is_open) run_partitions();
  start_gateway();
  watchdog_ = std::make_unique<Watchdog>(*partitions_, settings_.watchdog_interval,
                                         [this] { look_after_health(); });
  if (is_open) {
    all_run();
  } else {
    has_begun_to_wait_ = true;
    log::warn("the disk is full; beeline starts when there is room, and tries every second: {}",
              complaint());
    gateway_->set_serving(false);
    opener_ = std::thread([this] { open_when_there_is_room(); });
  }
}

void Server::all_run() {
  phase_ = Phase::Running;
  watchdog_->start();
  log::info("beeline is ready grpc={}:{} http={}:{} start_ms={}", settings_.grpc.address.host,
            grpc_port(), settings_.http.address.host, http_port(),
            (clock_.now() - started_at_).count());
}

void Server::warn_of_exposure() const {
  for (const Address& address : {settings_.grpc.address, settings_.http.address}) {
    if (is_loopback(address)) continue;
    log::warn(
        "beeline serves {} without authentication and encryption (insecure = true): anyone who can "
        "reach this address can read and change everything",
        to_text(address));
  }
}

void Server::open_when_there_is_room() {
  while (true) {
    {
      MutexLock lock{opener_mutex_};
      const auto next = std::chrono::steady_clock::now() + kRoomRetry;
      while (!opener_stops_ && opener_wake_.wait_until(lock, next)) continue;
      if (opener_stops_) return;
    }
    try {
      if (!open_data_directory() || !open_partitions()) continue;
    } catch (const StartError& error) {
      return failed(error.what());
    }
    run_partitions();
    gateway_->set_serving(true);
    return all_run();
  }
}

void Server::run_partitions() {
  partitions_->set_failure_callback([this](const std::string& reason) { failed(reason); });
  start_exporters();
  partitions_->start();
}

void Server::waits_for_room(const std::string& reason) {
  const MutexLock lock{failure_mutex_};
  room_reason_ = reason;
}

bool Server::open_data_directory() {
  if (data_directory_) return true;
  try {
    data_directory_ = std::make_unique<journal::DataDirectory>(disk_, settings_.data);
    const std::int32_t found = partitions_of(*data_directory_, disk_, settings_.partitions.count);
    if (found != settings_.partitions.count) {
      throw StartError(fmt::format(
          "The data directory {} was made for {} partitions, but the setting partitions is {}; "
          "start with --partitions {} or choose another --data.",
          settings_.data, found, settings_.partitions.count, found));
    }
    check_folders(*data_directory_, disk_, found);
    return true;
  } catch (const journal::DataDirectoryError& error) {
    throw StartError(fmt::format("The data directory {}.", error.what()));
  } catch (const IoError& error) {
    data_directory_.reset();
    if (is_out_of_room(error)) {
      waits_for_room(error.what());
      return false;
    }
    throw StartError(fmt::format(
        "The data directory {} cannot be used ({}); make it writable for this user or choose "
        "another with --data.",
        settings_.data, std::strerror(error.code().value())));
  }
}

void Server::start_http() {
  http::HttpOptions options = settings_.http;
  options.probe_paths = {"/health", "/ready", "/metrics"};
  options.body_bytes_max = settings_.service.message_bytes_max;
  http_ = std::make_unique<http::HttpServer>(std::move(options), make_router());
  try {
    http_->start();
  } catch (const IoError& error) {
    throw_address_error("http", settings_.http.address, error);
  }
}

void Server::make_partitions() {
  stream::PartitionSetOptions options = settings_.partitions;
  options.directory = settings_.data;
  options.partition.engine.reply_bytes_max = settings_.service.message_bytes_max;
  partitions_ = std::make_unique<stream::PartitionSet>(std::move(options), disk_, clock_);
}

bool Server::open_partitions() {
  try {
    const bool is_open = partitions_->open();
    if (is_open) check_exported();
    waits_for_room({});  // if it does not open, the partitions report it themselves
    return is_open;
  } catch (const std::exception& error) {
    // The error names the place: a damaged log, a checkpoint that does not match it, or a disk that
    // fails.
    throw StartError(
        fmt::format("The data in {} cannot be opened: {}", settings_.data, error.what()));
  }
}

// An exporter only got committed records, so a log that ends before its position has lost some.
void Server::check_exported() {
  for (std::int32_t number = 1; number <= settings_.partitions.count; ++number) {
    exporter::check_exported_positions(disk_, exporter_folder(settings_.data, number),
                                       partitions_->log(PartitionId{number}).committed_position());
  }
}

void Server::start_exporters() {
  const std::vector<exporter::ExporterPlan> plans = exporters_of(settings_, disk_);
  exporter::RunnerOptions runner_options = settings_.exporters;
  runner_options.stop_max = settings_.shutdown_grace;
  for (std::int32_t number = 1; number <= settings_.partitions.count; ++number) {
    const PartitionId id{number};
    auto director = std::make_unique<exporter::ExporterDirector>(
        disk_, exporter_folder(settings_.data, number), partitions_->log(id), runner_options);
    for (const exporter::ExporterPlan& plan : plans) director->add(plan, id);
    // The log removes nothing before the exporters have reported their positions.
    if (!director->empty()) partitions_->set_exported(id, Position{0});
    director->on_acknowledged(
        [this, id](Position position) { partitions_->set_exported(id, position); });
    partitions_->on_committed(id,
                              [director = director.get()](Position) { director->notify_commit(); });
    director->start();
    exporters_.push_back(std::move(director));
  }
}

void Server::make_service() {
  service_ = std::make_unique<service::Service>(settings_.service, *partitions_,
                                                std::make_shared<service::Loop>(clock_));
}

void Server::start_gateway() {
  gateway_ = std::make_unique<gateway::Gateway>(settings_.grpc, *service_);
  service_->start();
  try {
    gateway_->start();
  } catch (const IoError& error) {
    throw_address_error("grpc", settings_.grpc.address, error);
  }
}

void Server::stop() {
  if (phase_.exchange(Phase::Stopping) == Phase::Stopping) return;
  if (opener_.joinable()) {
    {
      const MutexLock lock{opener_mutex_};
      opener_stops_ = true;
    }
    opener_wake_.notify_all();
    opener_.join();
    phase_ = Phase::Stopping;
  }
  if (watchdog_) watchdog_->stop();
  if (gateway_) gateway_->stop(settings_.shutdown_grace);
  if (service_) service_->stop();
  if (partitions_) partitions_->stop();
  for (const auto& director : exporters_) director->begin_stop();
  for (const auto& director : exporters_) director->stop();
  if (http_) http_->stop();
  if (data_directory_) log::info("beeline has stopped");
}

void Server::failed(const std::string& reason) {
  log::error("A partition cannot continue: {}", reason);
  {
    const MutexLock lock{failure_mutex_};
    failure_ = reason;
  }
  if (on_failure_) on_failure_(reason);
}

int Server::grpc_port() const {
  return gateway_->port();
}

int Server::http_port() const {
  return http_->port();
}

http::Router Server::make_router() {
  http::Router router;
  const auto add = [&](std::string_view path, http::Response (Server::*answer)() const) {
    router.add(http::Method::Get, path,
               [this, answer](const http::Request&, http::Responder responder) {
                 responder.answer((this->*answer)());
               });
  };
  add("/health", &Server::health);
  add("/ready", &Server::ready);
  add("/metrics", &Server::metrics);
  add("/api/status", &Server::status);
  http::add_endpoints(router, {*service_, [this] { return phase_ == Phase::Running; }});
  return router;
}

void Server::look_after_health() {
  gateway_->set_serving(complaint().empty());
}

std::string Server::complaint() const {
  {
    const MutexLock lock{failure_mutex_};
    if (!failure_.empty()) return fmt::format("A partition cannot continue: {}", failure_);
    if (!room_reason_.empty()) {
      return fmt::format(
          "The disk is full: the data directory cannot be opened ({}). The server tries again "
          "every second.",
          room_reason_);
    }
  }
  for (std::int32_t number = 1; number <= settings_.partitions.count; ++number) {
    const auto condition = partitions_->partition(PartitionId{number}).condition();
    if (condition.health == stream::Health::Healthy) continue;
    return fmt::format("Partition {} does not process commands. {}", number, condition.reason);
  }
  return {};
}

http::Response Server::health() const {
  // While the server starts and stops it counts as healthy, unless it waits for room.
  const std::string wrong = complaint();
  const bool is_waiting = phase_ == Phase::Starting && !has_begun_to_wait_;
  if (!wrong.empty() && !is_waiting && phase_ != Phase::Stopping) return http::problem(503, wrong);
  return {.body = "{\"status\":\"UP\"}\n", .headers = {}};
}

http::Response Server::ready() const {
  switch (phase_.load()) {
    case Phase::Starting: {
      const std::string wrong = has_begun_to_wait_ ? complaint() : std::string{};
      return http::problem(503, wrong.empty() ? "The server is starting." : wrong);
    }
    case Phase::Stopping:
      return http::problem(503, "The server is stopping.");
    case Phase::Running:
      break;
  }
  const std::string wrong = complaint();
  if (!wrong.empty()) return http::problem(503, wrong);
  return {.body = "{\"status\":\"READY\"}\n", .headers = {}};
}

http::Response Server::status() const {
  // The ports are known once the server runs.
  if (phase_ != Phase::Running) return ready();
  return {
      .body = fmt::format(
          R"({{"version":"{}","grpc":"{}","http":"{}","partitions":{}}})"
          "\n",
          kVersion,
          to_text(Address{settings_.grpc.address.host, static_cast<std::uint16_t>(grpc_port())}),
          to_text(Address{settings_.http.address.host, static_cast<std::uint16_t>(http_port())}),
          settings_.partitions.count),
      .headers = {}};
}

http::Response Server::metrics() const {
  MetricsInput input{.now = clock_.now(), .started_at = started_at_, .partitions = {}};
  if (phase_ == Phase::Running) {
    for (std::int32_t number = 1; number <= settings_.partitions.count; ++number) {
      const PartitionId id{number};
      auto& partition = input.partitions.emplace_back();
      partition.id = id;
      partition.stats = &partitions_->stats(id);
      partition.jobs = partitions_->job_counts(id);
      partition.exporters = exporters_[static_cast<std::size_t>(number) - 1]->status();
    }
  }
  return {.content_type = std::string(http::MetricsText::kContentType),
          .body = metrics_text(input),
          .headers = {}};
}

}  // namespace beeline::server
