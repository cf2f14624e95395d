#include "service/loop.h"

#include <gtest/gtest.h>

#include <future>
#include <string>

#include "service/fakes_test.h"

namespace beeline::service {
namespace {

TEST(Loop, runs_what_is_posted_in_order_and_what_that_posts) {
  ManualClock clock;
  Loop loop(clock);
  std::string trace;
  loop.post([&] {
    trace += "a";
    loop.post([&] { trace += "c"; });
  });
  loop.post([&] { trace += "b"; });
  EXPECT_EQ(loop.run_ready(), 3U);
  EXPECT_EQ(trace, "abc");
  EXPECT_EQ(loop.run_ready(), 0U);
}

TEST(Loop, timers_run_in_the_order_of_their_time_unless_cancelled) {
  ManualClock clock;
  Loop loop(clock);
  std::string trace;
  const Timestamp now = clock.now();
  loop.schedule(now + Milliseconds{20}, [&] { trace += "c"; });
  loop.schedule(now + Milliseconds{10}, [&] { trace += "a"; });
  const auto cancelled = loop.schedule(now + Milliseconds{10}, [&] { trace += "x"; });
  loop.schedule(now + Milliseconds{10}, [&] { trace += "b"; });
  loop.cancel(cancelled);
  loop.cancel(cancelled);
  loop.run_ready();
  EXPECT_EQ(trace, "");
  clock.advance(Milliseconds{10});
  loop.run_ready();
  EXPECT_EQ(trace, "ab");
  clock.advance(Milliseconds{10});
  loop.run_ready();
  EXPECT_EQ(trace, "abc");
}

TEST(Loop, a_thread_runs_posts_and_timers) {
  const SystemClock clock;
  Loop loop(clock);
  loop.start();
  std::promise<void> posted;
  std::promise<void> fired;
  // A far timer comes first: a nearer one must not wait for it.
  loop.schedule(clock.now() + Milliseconds{1'000'000'000}, [] {});
  loop.schedule(clock.now() + Milliseconds{5}, [&] { fired.set_value(); });
  loop.post([&] { posted.set_value(); });
  EXPECT_EQ(posted.get_future().wait_for(kPatience), std::future_status::ready);
  EXPECT_EQ(fired.get_future().wait_for(kPatience), std::future_status::ready);
  loop.stop();
}

TEST(Loop, what_comes_after_stop_is_destroyed_unrun) {
  ManualClock clock;
  Loop loop(clock);
  auto token = std::make_shared<int>(0);
  loop.schedule(clock.now(), [token] { FAIL(); });
  loop.stop();
  loop.post([token] { FAIL(); });
  loop.schedule(clock.now(), [token] { FAIL(); });
  EXPECT_EQ(token.use_count(), 1);
}

}  // namespace
}  // namespace beeline::service
