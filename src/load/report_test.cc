#include "load/report.h"

#include <gtest/gtest.h>

namespace beeline::load {
namespace {

Report example() {
  Report report;
  report.workload = "one-task";
  report.target = "127.0.0.1:26500";
  report.concurrency = 64;
  report.measured = std::chrono::seconds{2};
  report.started = 12;
  report.completed = 10;
  report.unfinished = 2;
  report.errors = {{"RESOURCE_EXHAUSTED", 3}};
  report.whole.add(std::chrono::nanoseconds{1'500'000});
  return report;
}

TEST(Report, as_text) {
  EXPECT_EQ(to_text(example()),
            "one-task against 127.0.0.1:26500, closed loop of 64\n"
            "  completed 10 in 2.00 s: 5.0/s, 2 unfinished\n"
            "  3 answers were RESOURCE_EXHAUSTED\n"
            "  ms             count       p50       p90       p99     p99.9       max\n"
            "  whole              1     1.500     1.500     1.500     1.500     1.500\n");
}

TEST(Report, as_json) {
  auto report = example();
  report.rate = 1000;
  EXPECT_EQ(to_json(report),
            R"({"workload":"one-task","target":"127.0.0.1:26500","loop":"open","rate":1000,)"
            R"("concurrency":null,"seconds":2.000000,"started":12,"completed":10,)"
            R"("perSecond":5.000,"unfinished":2,"errors":{"RESOURCE_EXHAUSTED":3},)"
            R"("latencyMillis":{"whole":{"count":1,"mean":1.500000,"p50":1.500000,)"
            R"("p90":1.500000,"p99":1.500000,"p99.9":1.500000,"max":1.500000},)"
            R"("create":{"count":0,"mean":0.000000,"p50":0.000000,"p90":0.000000,)"
            R"("p99":0.000000,"p99.9":0.000000,"max":0.000000},)"
            R"("complete":{"count":0,"mean":0.000000,"p50":0.000000,"p90":0.000000,)"
            R"("p99":0.000000,"p99.9":0.000000,"max":0.000000}}})"
            "\n");
}

}  // namespace
}  // namespace beeline::load
