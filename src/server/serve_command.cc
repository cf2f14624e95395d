#include "server/serve_command.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <string>

#include "base/log.h"
#include "server/command_io.h"
#include "server/server.h"

namespace beeline::server {
namespace {

sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  return set;
}

// Waits for a signal that asks the process to stop. From then on the next one has its default
// action, which ends the process.
void wait_for_stop_signal() {
  const sigset_t set = stop_signals();
  int received = 0;
  while (::sigwait(&set, &received) != 0) {
  }
  ::signal(SIGTERM, SIG_DFL);
  ::signal(SIGINT, SIG_DFL);
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace

int serve(const Settings& settings) {
  log::set_level(settings.log_level);
  log::set_json(settings.log_json);
  // Blocked before any thread is made, so that all threads inherit it and only sigwait hears them.
  const sigset_t set = stop_signals();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  keep_files_private();

  const SystemClock clock;
  Server server(settings, clock);
  std::atomic<bool> has_failed{false};
  try {
    server.start([&has_failed](const std::string&) {
      // A new start recovers what this process can no longer trust itself with; so it ends, and
      // whoever supervises it sees that it did.
      has_failed = true;
      ::kill(::getpid(), SIGTERM);
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
