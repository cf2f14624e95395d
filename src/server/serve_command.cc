#include "server/serve_command.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <initializer_list>
#include <string>

#include "base/log.h"
#include "server/command_io.h"
#include "server/server.h"

namespace beeline::server {
namespace {

// The signal by which the process asks itself to stop when a partition has failed. It differs from
// the user's signals: two partitions may fail, or one while the server already stops, and that must
// not count as a second signal of the user, which ends the process at once.
constexpr int kFailureSignal = SIGUSR1;

sigset_t signals(std::initializer_list<int> numbers) {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : numbers) sigaddset(&set, number);
  return set;
}

// Waits for a signal that asks the process to stop. From then on the next signal of the user has
// its default action, which ends the process.
void wait_for_stop_signal() {
  const sigset_t all = signals({SIGTERM, SIGINT, kFailureSignal});
  int received = 0;
  while (::sigwait(&all, &received) != 0) {
  }
  ::signal(SIGTERM, SIG_DFL);
  ::signal(SIGINT, SIG_DFL);
  const sigset_t of_user = signals({SIGTERM, SIGINT});
  ::pthread_sigmask(SIG_UNBLOCK, &of_user, nullptr);
}

}  // namespace

int serve(const Settings& settings) {
  log::set_level(settings.log_level);
  log::set_json(settings.log_json);
  // The signals are blocked before any thread is made, so all threads inherit this and only sigwait
  // receives them.
  const sigset_t set = signals({SIGTERM, SIGINT, kFailureSignal});
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  keep_files_private();

  const SystemClock clock;
  Server server(settings, clock);
  std::atomic<bool> has_failed{false};
  try {
    server.start([&has_failed](const std::string&) {
      // A new start recovers what this process can no longer rely on; so the process ends, and its
      // supervisor notices that.
      has_failed = true;
      ::kill(::getpid(), kFailureSignal);
    });
  } catch (const StartError& error) {
    fmt::print(stderr, "beeline: {}\n", error.what());
    return 1;
  }
  wait_for_stop_signal();
  log::info("beeline stops; a second signal ends it at once");
  server.stop();
  return has_failed ? 1 : 0;
}

}  // namespace beeline::server
