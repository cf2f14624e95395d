#include "tests/support/cluster.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/resends.h"

namespace beeline::testing {
namespace {

constexpr Milliseconds kSecond{1'000};
// The longest wait before a command is sent again is five minutes.
constexpr int kSettleSecondsMax = 24 * 60 * 60;
// No test has this many commands under way at one time; a test that does not end is reported.
constexpr int kDeliveriesMax = 100'000;

}  // namespace

bool Parcel::is(std::string_view name) const {
  return fmt::format("{} {}", record::name_of(command.head.value_type),
                     record::intent_name(command.head.value_type, command.head.intent)) == name;
}

Cluster::Cluster(std::int32_t partitions, Network network, std::uint64_t seed,
                 engine::EngineOptions options)
    : network_(network), random_(seed) {
  options.partition_count = partitions;
  for (std::int32_t number = 1; number <= partitions; ++number) {
    options.partition = PartitionId{number};
    worlds_.push_back(std::make_unique<World>(options));
  }
}

Cluster::~Cluster() {
  for (const auto& world : worlds_) {
    EXPECT_EQ(world->compare_with_replay(), "")
        << "partition " << world->state().partition().value();
  }
}

World& Cluster::at(std::int32_t partition) {
  return *worlds_.at(static_cast<std::size_t>(partition) - 1);
}

void Cluster::mark() {
  for (const auto& world : worlds_) world->set_mark();
}

bool Cluster::happens(double probability) {
  // std::uniform_real_distribution is not used, because a seed must mean the same everywhere.
  return static_cast<double>(random_() % 1'000'000) < probability * 1'000'000;
}

void Cluster::collect() {
  for (const auto& world : worlds_) {
    for (engine::OutgoingCommand& command : world->take_sends()) {
      Parcel parcel{world->state().partition(), std::move(command)};
      if (happens(network_.repeats)) under_way_.push_back(parcel);
      under_way_.push_back(std::move(parcel));
    }
  }
}

void Cluster::deliver() {
  for (int i = 0; i < kDeliveriesMax; ++i) {
    collect();
    if (under_way_.empty()) return;
    const std::size_t at = network_.reorders ? random_() % under_way_.size() : 0;
    const Parcel parcel = std::move(under_way_[at]);
    under_way_.erase(under_way_.begin() + static_cast<std::ptrdiff_t>(at));
    if (happens(network_.loses) || (is_lost_ && is_lost_(parcel))) continue;
    delivered_.push_back(parcel);
    this->at(parcel.command.to.value()).receive(parcel.command);
  }
  ADD_FAILURE() << "partitions keep sending without end";
}

void Cluster::pass(Milliseconds duration) {
  while (duration.count() > 0) {
    const Milliseconds step = std::min(duration, kSecond);
    for (const auto& world : worlds_) world->pass(step);
    deliver();
    duration -= step;
  }
}

bool Cluster::is_quiet() {
  deliver();
  return std::ranges::none_of(worlds_, [](const auto& world) {
    return std::ranges::any_of(engine::resend_sources(), [&](const engine::ResendSource& source) {
      return source.has_pending(world->state());
    });
  });
}

void Cluster::settle() {
  for (int seconds = 0; seconds < kSettleSecondsMax; ++seconds) {
    if (is_quiet()) return;
    pass(kSecond);
  }
  ADD_FAILURE() << "a day has passed, and partitions still wait for one another";
}

void Cluster::restart(std::int32_t partition) {
  collect();
  const PartitionId id{partition};
  std::erase_if(under_way_,
                [&](const Parcel& parcel) { return parcel.from == id || parcel.command.to == id; });
  at(partition).restart();
}

}  // namespace beeline::testing
