#include "load/instance_tracker.h"

#include <gtest/gtest.h>

namespace beeline::load {
namespace {

Instant at(int seconds) {
  return Instant{std::chrono::seconds{seconds}};
}

TEST(InstanceTracker, an_instance_is_complete_with_its_last_job) {
  InstanceTracker tracker(2);
  EXPECT_FALSE(tracker.created(7, at(1), at(2)).has_value());
  EXPECT_FALSE(tracker.job_completed(7, at(3)).has_value());
  const auto finished = tracker.job_completed(7, at(4));
  ASSERT_TRUE(finished.has_value());
  EXPECT_EQ(finished->start, at(1));
  EXPECT_EQ(finished->end, at(4));
}

TEST(InstanceTracker, the_job_may_be_completed_before_the_creation_is_answered) {
  InstanceTracker tracker(1);
  EXPECT_FALSE(tracker.job_completed(7, at(2)).has_value());
  const auto finished = tracker.created(7, at(1), at(3));
  ASSERT_TRUE(finished.has_value());
  EXPECT_EQ(finished->start, at(1));
  EXPECT_EQ(finished->end, at(3));
}

TEST(InstanceTracker, without_jobs_an_instance_is_complete_when_it_is_created) {
  InstanceTracker tracker(0);
  EXPECT_EQ(tracker.created(7, at(1), at(3))->end, at(3));
}

TEST(InstanceTracker, instances_are_apart) {
  InstanceTracker tracker(1);
  EXPECT_FALSE(tracker.created(7, at(1), at(1)).has_value());
  EXPECT_FALSE(tracker.job_completed(23, at(2)).has_value());
  EXPECT_TRUE(tracker.job_completed(7, at(2)).has_value());
  EXPECT_TRUE(tracker.created(23, at(1), at(2)).has_value());
}

}  // namespace
}  // namespace beeline::load
