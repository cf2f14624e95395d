#include <gtest/gtest.h>

#include "bpmn/test_support.h"

// Loops that never wait.
namespace beeline::bpmn {
namespace {

using namespace build;
using namespace std::chrono_literals;
using Errors = std::vector<std::string>;

std::string never_waits(const std::string& path) {
  return path.substr(0, path.find(' ')) + ": must not be in a loop that never waits: " + path;
}

// A loop through these nodes, entered and left at the gateways "in" and "out".
Model loop(Path inside) {
  return process("p",
                 start() >> exclusive_gateway("in") >> std::move(inside) >>
                     exclusive_gateway("out") >> default_flow() >> to("in"),
                 from("out") >> condition("done") >> end());
}

TEST(CheckLoops, RefusesLoopsWithoutAWait) {
  expect_refusals({
      {loop(task("a")), {never_waits("a > out > in > a")}},
      {loop(manual_task("a") >> task("b")), {never_waits("a > b > out > in > a")}},
      {loop(throw_event("a")), {never_waits("a > out > in > a")}},
      {loop(throw_event(signal("a", "s"))), {never_waits("a > out > in > a")}},
      {loop(script_task("a", build::script("1", "x"))), {never_waits("a > out > in > a")}},
      {loop(business_rule_task("a", called_decision("d", "r"))), {never_waits("a > out > in > a")}},
      {process("p", start() >> task("a") >> to("a")), {never_waits("a > a")}},
      {loop(task("a", multi_instance({.input_collection = "xs"}))),
       {never_waits("a > out > in > a")}},
      {loop(subprocess("sub", start("s") >> end("e")) >> task("a")),
       {never_waits("a > out > in > sub > a")}},
      {loop(subprocess("sub", start("s") >> task("b") >> end("e")) >> task("a")),
       {never_waits("a > out > in > sub > a")}},
      {process("p", start() >> exclusive_gateway("in") >> throw_event(link_event("o", "L")),
               catch_event(link_event("i", "L")) >> to("in")),
       {never_waits("o > i > in > o")}},
  });
}

TEST(CheckLoops, StandardLoopsWaitAsTheirRunsDo) {
  const auto twice = [] { return standard_loop({.condition = "x", .maximum = "2"}); };
  const auto never = [] { return standard_loop({.maximum = "0"}); };
  expect_refusals({
      // The repetition itself is no loop in this sense: its condition or its maximum ends it.
      {process("p", start() >> task("a", twice()) >> end()), {}},
      {loop(task("a", twice())), {never_waits("a > out > in > a")}},
      {loop(service_task("a", job("j"), twice()) >> task("b")), {}},
      {loop(service_task("a", job("j"), standard_loop({.condition = "x", .test_before = true})) >>
            task("b")),
       {}},
      {loop(service_task("a", job("j"), never()) >> task("b")),
       {never_waits("b > out > in > a > b")}},
      {loop(subprocess("sub", start("s") >> service_task("w", job("j")) >> end("e"), twice()) >>
            task("b")),
       {}},
      {loop(subprocess("sub", start("s") >> service_task("w", job("j")) >> end("e"), never()) >>
            task("b")),
       {never_waits("b > out > in > sub > b")}},
  });
}

TEST(CheckLoops, AllowsLoopsThatWait) {
  expect_refusals({
      {loop(complex_gateway("only-a-gateway")), {}},
      {loop(service_task("a", job("j")) >> task("b")), {}},
      {loop(user_task("a")), {}},
      {loop(catch_event(timer("a", 1s)) >> task("b")), {}},
      {loop(script_task("a", job("j"))), {}},
      {loop(throw_event(message("a", "m"), job("j"))), {}},
      {loop(subprocess("sub", start("s") >> service_task("w", job("j")) >> end("e")) >> task("a")),
       {}},
      {loop(call_activity("a", "elsewhere") >> task("b")), {}},
      {loop(call_activity("a", "=id") >> task("b")), {}},
      {loop(parallel_gateway("only-gateways")), {}},
  });
}

TEST(CheckLoops, RefusesLoopsThroughAnErrorThatIsCaught) {
  expect_refusals({
      {process("p", start() >> subprocess("sub", start("s") >> end(error("e", "404"))) >> end(),
               boundary("sub", error("caught", "404")) >> to("sub")),
       {never_waits("caught > sub > caught")}},
      {process("p", start() >> subprocess("sub", start("s") >> end(error("e", "404"))) >> end(),
               boundary("sub", error("caught")) >> to("sub")),
       {never_waits("caught > sub > caught")}},
      // The error is thrown further inside, past a boundary event for another error.
      {process(
           "p",
           start() >>
               subprocess("sub",
                          start("s") >> subprocess("inner", start("i") >> end(error("e", "404"))) >>
                              end("f"),
                          boundary("inner", error("other", "500")) >> end("o")) >>
               end(),
           boundary("sub", error("caught", "404")) >> to("sub")),
       {never_waits("caught > sub > caught")}},
  });
}

TEST(CheckLoops, AllowsLoopsThroughAnErrorThatWaitOrEnd) {
  const auto throwing = [] { return start("s") >> end(error("e", "404")); };
  const auto with = [](Path inside, auto... rest) {
    return process("p",
                   start() >> subprocess("sub", std::move(inside), std::move(rest)...) >> end(),
                   boundary("sub", error("caught", "404")) >> to("sub"));
  };
  expect_refusals({
      // The loop waits inside, or on the way back.
      {with(start("s") >> service_task("w", job("j")) >> end(error("e", "404"))), {}},
      {process("p", start() >> subprocess("sub", throwing()) >> end(),
               boundary("sub", error("caught", "404")) >> user_task("w") >> to("sub")),
       {}},
      // Another error is thrown.
      {with(start("s") >> end(error("e", "500"))), {}},
      // The code is not known before the process runs.
      {with(start("s") >> end(error("e", "=code"))), {}},
      // The error is caught before it comes here.
      {with(throwing(), event_subprocess("handler", start(error("h", "404")) >> end("he"))), {}},
      {process("p", start() >> subprocess("sub", throwing()) >> end(),
               boundary("sub", error("caught", "404")) >> end("caught_end")),
       {}},
  });
}

TEST(CheckLoops, RefusesLoopsThroughAnEscalationThatIsCaught) {
  expect_refusals({
      {process("p",
               start() >> subprocess("sub", start("s") >> end(escalation("e", "late"))) >> end(),
               boundary("sub", escalation("caught", "late")) >> to("sub")),
       {never_waits("caught > sub > caught")}},
      // The subprocess goes on beside the path that the event begins.
      {process("p",
               start() >> subprocess("sub", start("s") >> throw_event(escalation("e", "late")) >>
                                                user_task("w")) >>
                   end(),
               boundary("sub", escalation("caught"), non_interrupting()) >> to("sub")),
       {never_waits("caught > sub > caught")}},
  });
}

TEST(CheckLoops, AllowsLoopsThroughAnEscalationThatWaitOrEnd) {
  const auto with = [](Path inside) {
    return process("p", start() >> subprocess("sub", std::move(inside)) >> end(),
                   boundary("sub", escalation("caught", "late")) >> to("sub"));
  };
  expect_refusals({
      {with(start("s") >> user_task("w") >> end(escalation("e", "late"))), {}},
      {with(start("s") >> end(escalation("e", "early"))), {}},
      // An error with the same code is another thing.
      {with(start("s") >> end(error("e", "late"))), {}},
  });
}

TEST(CheckLoops, RefusesLoopsThroughACancellationWithoutHandlers) {
  const auto again = [](auto... items) {
    return process("p", start() >> transaction("t", std::move(items)...) >> end(),
                   boundary("t", cancel("c")) >> to("t"));
  };
  expect_refusals({
      {again(start("s") >> end(cancel("stop"))), {never_waits("c > t > c")}},
      {again(start("s") >> service_task("w", job("j")) >> end(cancel("stop"))), {}},
      // The loop waits for the handler.
      {again(start("s") >> task("done") >> end(cancel("stop")), boundary("done", compensation("b")),
             service_task("h", job("j"), for_compensation()), association("b", "h")),
       {}},
      // Nothing leads past the cancel end event.
      {process("p", start() >> transaction("t", start("s") >> end(cancel("stop"))) >> to("t"),
               boundary("t", cancel("c")) >> end()),
       {}},
  });
}

TEST(CheckLoops, LooksIntoCalledProcessesOfTheFile) {
  const Model straight = process("c", start("cs") >> task("ct") >> end("ce"));
  const Model waiting = process("c", start("cs") >> service_task("ct", job("j")) >> end("ce"));
  EXPECT_EQ(reasons_of(file({loop(call_activity("a", "c")), straight})),
            (Errors{never_waits("a > out > in > a")}));
  EXPECT_EQ(reasons_of(file({loop(call_activity("a", "c")), waiting})), Errors{});
  const Model throwing = process("c", start("cs") >> end(error("ce", "404")));
  const Model catching = process("p", start() >> call_activity("a", "c") >> end(),
                                 boundary("a", error("caught", "404")) >> to("a"));
  EXPECT_EQ(reasons_of(file({catching, throwing})), (Errors{never_waits("a > caught > a")}));
  EXPECT_EQ(reasons_of(file({catching, waiting})), Errors{});
}

TEST(CheckLoops, RefusesEndlessRecursion) {
  EXPECT_EQ(reasons_of(process("p", start("s") >> call_activity("a", "p") >> end())),
            (Errors{never_waits("a > s > a")}));
  EXPECT_EQ(reasons_of(file({process("p", start("s") >> call_activity("a", "q")),
                             process("q", start("t") >> call_activity("b", "p"))})),
            (Errors{never_waits("a > t > b > s > a")}));
  EXPECT_EQ(reasons_of(process("p", start("s") >> service_task("w", job("j")) >>
                                        call_activity("a", "p") >> end())),
            Errors{});
}

TEST(CheckLoops, CopesWithLongModels) {
  Path path = start();
  for (int i = 0; i < 3000; ++i) path = std::move(path) >> task("t" + std::to_string(i));
  EXPECT_EQ(reasons_of(process("p", path)), Errors{});
  const Errors errors = reasons_of(process("p", std::move(path) >> to("t0")));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_LT(errors[0].size(), 3000u);
}

}  // namespace
}  // namespace beeline::bpmn
