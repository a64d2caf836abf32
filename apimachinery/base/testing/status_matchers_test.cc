#include "apimachinery/base/testing/status_matchers.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

using testing::AnyOf;
using testing::ElementsAre;
using testing::Gt;
using testing::HasSubstr;
using testing::Not;
using testing::Pointee;

// Returns the text that a failed EXPECT_THAT would print for the value.
template <typename M, typename T>
std::string Explain(const M& matcher, const T& value) {
  testing::StringMatchResultListener listener;
  testing::ExplainMatchResult(matcher, value, &listener);
  return listener.str();
}

TEST(StatusMatchers, StatusIs_MatchesCodeAndMessage) {
  const absl::Status status = absl::NotFoundError("pods \"web-0\"");
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kNotFound, "pods \"web-0\""));
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kNotFound, HasSubstr("web-0")));
  EXPECT_THAT(status, StatusIs(AnyOf(absl::StatusCode::kNotFound, absl::StatusCode::kUnknown)));
  EXPECT_THAT(status, Not(StatusIs(absl::StatusCode::kInternal)));
  EXPECT_THAT(status, Not(StatusIs(absl::StatusCode::kNotFound, "pods")));
  EXPECT_THAT(absl::StatusOr<int>(status), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(absl::StatusOr<int>(1), StatusIs(absl::StatusCode::kOk, ""));
  EXPECT_EQ(Explain(StatusIs(absl::StatusCode::kOk), status), "which is NOT_FOUND: pods \"web-0\"");
}

TEST(StatusMatchers, IsOk_MatchesStatusAndStatusOr) {
  EXPECT_THAT(absl::OkStatus(), IsOk());
  EXPECT_THAT(absl::StatusOr<int>(1), IsOk());
  EXPECT_THAT(absl::InternalError("no"), Not(IsOk()));
  EXPECT_THAT(absl::StatusOr<int>(absl::InternalError("no")), Not(IsOk()));
  EXPECT_EQ(Explain(IsOk(), absl::InternalError("no")), "which is INTERNAL: no");
}

TEST(StatusMatchers, IsOkAndHolds_MatchesTheValue) {
  EXPECT_THAT(absl::StatusOr<int>(7), IsOkAndHolds(7));
  EXPECT_THAT(absl::StatusOr<int>(7), IsOkAndHolds(Gt(6)));
  EXPECT_THAT(absl::StatusOr<int>(7), Not(IsOkAndHolds(8)));
  EXPECT_THAT(absl::StatusOr<std::string>("web"), IsOkAndHolds("web"));
  EXPECT_THAT((absl::StatusOr<std::vector<int>>({1, 2})), IsOkAndHolds(ElementsAre(1, 2)));
  EXPECT_THAT(absl::StatusOr<std::unique_ptr<int>>(std::make_unique<int>(3)),
              IsOkAndHolds(Pointee(3)));
  const absl::StatusOr<int> error = absl::InternalError("no");
  EXPECT_THAT(error, Not(IsOkAndHolds(7)));
  EXPECT_EQ(Explain(IsOkAndHolds(7), error), "which is INTERNAL: no");
  EXPECT_THAT(Explain(IsOkAndHolds(8), absl::StatusOr<int>(7)), HasSubstr("which holds 7"));
}

}  // namespace
}  // namespace kube::base
