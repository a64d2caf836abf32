#include "benchmarks/codec/meter.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::benchmarks {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

TEST(MeterTest, RunsPartsInTurnOnEachBatch) {
  Meter meter(5, absl::ZeroDuration());
  std::vector<std::string> ran;
  const auto note = [&](char part, size_t begin, size_t end) {
    ran.push_back(part + std::to_string(begin) + "-" + std::to_string(end));
  };
  meter.Time({{"decode", [&](size_t begin, size_t end) { note('d', begin, end); }, 10},
              {"", [&](size_t begin, size_t end) { note('f', begin, end); }}},
             2);
  // One pass without measuring and one measured pass.
  EXPECT_THAT(ran, ElementsAre("d0-2", "f0-2", "d2-4", "f2-4", "d4-5", "f4-5",  //
                               "d0-2", "f0-2", "d2-4", "f2-4", "d4-5", "f4-5"));
}

TEST(MeterTest, ReportsTheNamedParts) {
  Meter meter(1, absl::ZeroDuration());
  const auto nothing = [](size_t, size_t) {};
  meter.Time({{"read", nothing, 10}, {"", nothing}, {"free", nothing}});
  EXPECT_THAT(meter.report().ToJson(),
              MatchesRegex(R"(.*"read","unit":"ns".*"read_cpu","unit":"ns".*)"
                           R"("read_rate","unit":"MB/s".*"free","unit":"ns".*"free_cpu".*)"));
  EXPECT_THAT(meter.report().ToJson(), Not(HasSubstr("free_rate")));
}

TEST(MeterTest, CountsEachPodOfAllPassesOnce) {
  Meter meter(4, absl::ZeroDuration());
  int64_t pods = 0;
  meter.Time({{"read", [&](size_t begin, size_t end) { pods += end - begin; }}});
  EXPECT_EQ(pods, 8);
}

TEST(MeterTest, MemoryIsWhatIsStillHeld) {
  Meter meter(10);
  std::vector<std::unique_ptr<char[]>> held;
  held.reserve(10);
  meter.Memory([&] {
    for (int i = 0; i < 10; ++i) {
      held.push_back(std::make_unique<char[]>(100'000));
      std::make_unique<char[]>(100'000).reset();
    }
  });
  EXPECT_THAT(meter.report().ToJson(), HasSubstr(R"("name":"heap","unit":"B","value":1000)"));
}

}  // namespace
}  // namespace kube::benchmarks
