#include "apiserver/testing/extension_maker.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube::apiserver {
namespace {

using base::IsOk;
using unstructured::ParseJson;

constexpr absl::string_view kUsual[] = {"a", "b", "c"};

TEST(FuzzInput, DecidesByBytesAndThenTheLast) {
  FuzzInput input(absl::string_view("\x00\x05", 2));
  EXPECT_FALSE(input.done());
  EXPECT_TRUE(input.OneIn(3));
  EXPECT_EQ(input.Below(4), 1u);
  EXPECT_TRUE(input.done());
  EXPECT_EQ(input.Below(4), 3u);
  EXPECT_EQ(input.Pick(kUsual), "c");
}

TEST(FuzzInput, TakesTextsFromItsLines) {
  FuzzInput input(absl::string_view("\x00\x01\x00\x00\nfirst \"\nsecond", 19));
  EXPECT_EQ(input.Text(kUsual), R"("first \"")");
  EXPECT_EQ(input.Text(kUsual), R"("a")") << "it decided for a usual one";
  EXPECT_EQ(input.Text(kUsual), R"("second")");
  EXPECT_EQ(input.Text(kUsual), R"("c")") << "nothing is left";
}

TEST(ExtensionMaker, MakesJsonOfAllBytes) {
  for (int seed = 0; seed < 100; ++seed) {
    oracle::Dice dice(static_cast<uint64_t>(seed));
    std::string bytes;
    for (size_t size = dice.Below(200); size > 0; --size) {
      bytes += static_cast<char>(dice.Below(256));
    }
    FuzzInput input(bytes);
    EXPECT_THAT(ParseJson(MakeDefinition(input, seed % 2 == 0)), IsOk()) << "seed " << seed;
    EXPECT_THAT(ParseJson(MakePolicy(input, "p")), IsOk()) << "seed " << seed;
    EXPECT_THAT(ParseJson(MakeMutatingPolicy(input, "p")), IsOk()) << "seed " << seed;
    EXPECT_THAT(ParseJson(MakeBinding(input, "p", seed % 3 == 0)), IsOk()) << "seed " << seed;
    EXPECT_THAT(ParseJson(MakeWebhook(input, "h")), IsOk()) << "seed " << seed;
    EXPECT_THAT(ParseJson(MakeObject(input, "v1")), IsOk()) << "seed " << seed;
    EXPECT_THAT(ParseJson(MakeObject(input, "")), IsOk()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace kube::apiserver
