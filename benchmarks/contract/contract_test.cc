#include "benchmarks/contract/contract.h"

#include <sstream>
#include <string>

#include "gtest/gtest.h"

namespace kube::benchmarks {
namespace {

TEST(ReportTest, IsOneLineOfJson) {
  Report report;
  EXPECT_EQ(report.ToJson(), R"({"metrics":[]})");
  report.Add("cancel", "ms", 1.25);
  report.Add("create", "ns", 123456789);
  EXPECT_EQ(report.ToJson(), R"({"metrics":[{"name":"cancel","unit":"ms","value":1.25},)"
                             R"({"name":"create","unit":"ns","value":123456789}]})");
}

TEST(MeasureTest, AsksAndReadsTheAnswer) {
  const struct {
    const char* name;
    const char* answer;
    Memory want;
  } kCases[] = {
      {"figures", "4096 8192\n", {4096, 8192}},
      {"more than 32 bits", "10000000000 20000000000\n", {10000000000, 20000000000}},
      {"nobody answers", "", {}},
      {"an empty line", "\n", {}},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.name);
    std::istringstream in(c.answer);
    std::ostringstream out;
    const Memory got = Measure(in, out);
    EXPECT_EQ(out.str(), "@measure\n");
    EXPECT_EQ(got.rss_anon_bytes, c.want.rss_anon_bytes);
    EXPECT_EQ(got.pss_bytes, c.want.pss_bytes);
  }
}

TEST(MeasureTest, ReadsOneLineEachTime) {
  std::istringstream in("1 2\n3 4\n");
  std::ostringstream out;
  Measure(in, out);
  EXPECT_EQ(Measure(in, out).rss_anon_bytes, 3);
}

TEST(MedianTest, IsTheMiddle) {
  EXPECT_EQ(Median({}), 0);
  EXPECT_EQ(Median({3}), 3);
  EXPECT_EQ(Median({9, 1, 2}), 2);
  EXPECT_EQ(Median({4, 1, 2, 9}), 3);
}

}  // namespace
}  // namespace kube::benchmarks
