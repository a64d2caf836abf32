#include "benchmarks/informer/frame_counter.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace kube::benchmarks {
namespace {

TEST(FrameCounterTest, CountsHoweverTheBodyIsCut) {
  using Counts = std::vector<std::pair<int64_t, size_t>>;  // count() and last_size() per byte
  const struct {
    const char* name;
    bool protobuf;
    std::string body;
    Counts want;
  } kCases[] = {
      {"JSON", false, "ab\n\nc\n", {{0, 0}, {0, 0}, {1, 2}, {2, 0}, {2, 0}, {3, 1}}},
      {"protobuf",
       true,
       std::string("\0\0\0\2ab\0\0\0\1\n", 11),
       {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {1, 2}, {1, 2}, {1, 2}, {1, 2}, {1, 2}, {2, 1}}},
      {"protobuf, empty", true, std::string("\0\0\0\0", 4), {{0, 0}, {0, 0}, {0, 0}, {1, 0}}},
  };
  for (const auto& test : kCases) {
    SCOPED_TRACE(test.name);
    for (size_t step = 1; step <= test.body.size(); ++step) {
      FrameCounter counter(test.protobuf);
      for (size_t at = 0; at < test.body.size(); at += step) {
        counter.Add(absl::string_view(test.body).substr(at, step));
        const auto& [count, last_size] = test.want[std::min(at + step, test.body.size()) - 1];
        EXPECT_EQ(counter.count(), count) << "at " << at << " by " << step;
        EXPECT_EQ(counter.last_size(), last_size) << "at " << at << " by " << step;
      }
    }
  }
}

TEST(FrameCounterTest, ALengthHasFourBytes) {
  FrameCounter counter(true);
  counter.Add(absl::string_view("\0\1\0\2", 4));
  counter.Add(std::string(0x10001, 'x'));
  EXPECT_EQ(counter.count(), 0);
  counter.Add("x");
  EXPECT_EQ(counter.count(), 1);
  EXPECT_EQ(counter.last_size(), size_t{0x10002});
}

}  // namespace
}  // namespace kube::benchmarks
