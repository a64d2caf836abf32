#include "apiserver/internal/flag_pairs.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

using Pairs = std::vector<std::pair<std::string, std::string>>;

absl::StatusOr<Pairs> Read(absl::string_view text) {
  Pairs pairs;
  const absl::Status status =
      ReadFlagPairs(text, [&pairs](absl::string_view key, absl::string_view value) {
        pairs.emplace_back(key, value);
        return value == "bad" ? WrongPair(key, value, "good") : absl::OkStatus();
      });
  if (!status.ok()) return status;
  return pairs;
}

TEST(FlagPairs, AList_IsReadInItsOrder) {
  EXPECT_THAT(Read("verb=create,drop,name=a=b,group="),
              IsOkAndHolds(ElementsAre(Pair("verb", "create"), Pair("drop", ""),
                                       Pair("name", "a=b"), Pair("group", ""))));
}

TEST(FlagPairs, AWrongList_IsAnErrorWithItsText) {
  for (const char* text : {"", "a=1,,b=2", "=1"}) {
    EXPECT_THAT(Read(text), StatusIs(absl::StatusCode::kInvalidArgument,
                                     HasSubstr("is not a list such as verb=create")))
        << text;
  }
  EXPECT_THAT(Read("a=1,a=2"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"a\" stands twice")));
  EXPECT_THAT(Read("b=1,a=bad"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"a=bad\" is not good")));
}

}  // namespace
}  // namespace kube::apiserver::internal
