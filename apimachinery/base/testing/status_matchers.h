#ifndef APIMACHINERY_BASE_TESTING_STATUS_MATCHERS_H_
#define APIMACHINERY_BASE_TESTING_STATUS_MATCHERS_H_

// Matchers for Status and StatusOr in tests:
//
//   EXPECT_THAT(Save(), IsOk());
//   EXPECT_THAT(Parse("1Gi"), IsOkAndHolds(Eq(1 << 30)));
//   EXPECT_THAT(Get("web-0"), StatusIs(absl::StatusCode::kNotFound, HasSubstr("web-0")));

#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/status.h"
#include "gmock/gmock.h"

namespace kube::base {
namespace internal {

class StatusIsMatcher {
 public:
  using is_gtest_matcher = void;

  StatusIsMatcher(testing::Matcher<absl::StatusCode> code, testing::Matcher<std::string> message)
      : code_(std::move(code)), message_(std::move(message)) {}

  template <typename StatusOrStatusOr>
  bool MatchAndExplain(const StatusOrStatusOr& value, testing::MatchResultListener* out) const {
    const absl::Status& status = ToStatus(value);
    *out << "which is " << status.ToString();
    return code_.Matches(status.code()) && message_.Matches(std::string(status.message()));
  }
  void DescribeTo(std::ostream* out) const { Describe(out, false); }
  void DescribeNegationTo(std::ostream* out) const { Describe(out, true); }

 private:
  void Describe(std::ostream* out, bool negated) const {
    *out << (negated ? "not (" : "") << "has a code that ";
    code_.DescribeTo(out);
    *out << " and a message that ";
    message_.DescribeTo(out);
    *out << (negated ? ")" : "");
  }

  testing::Matcher<absl::StatusCode> code_;
  testing::Matcher<std::string> message_;
};

class IsOkMatcher {
 public:
  using is_gtest_matcher = void;

  template <typename StatusOrStatusOr>
  bool MatchAndExplain(const StatusOrStatusOr& value, testing::MatchResultListener* out) const {
    if (!value.ok()) *out << "which is " << ToStatus(value).ToString();
    return value.ok();
  }
  void DescribeTo(std::ostream* out) const { *out << "is OK"; }
  void DescribeNegationTo(std::ostream* out) const { *out << "is an error"; }
};

template <typename Inner>
class IsOkAndHoldsMatcher {
 public:
  using is_gtest_matcher = void;

  explicit IsOkAndHoldsMatcher(Inner inner) : inner_(std::move(inner)) {}

  template <typename T>
  bool MatchAndExplain(const absl::StatusOr<T>& result, testing::MatchResultListener* out) const {
    if (!result.ok()) {
      *out << "which is " << result.status().ToString();
      return false;
    }
    *out << "which holds " << testing::PrintToString(*result) << " ";
    return testing::SafeMatcherCast<const T&>(inner_).MatchAndExplain(*result, out);
  }
  void DescribeTo(std::ostream* out) const { *out << "is OK and holds the value that matches"; }
  void DescribeNegationTo(std::ostream* out) const { *out << "is an error or holds another value"; }

 private:
  Inner inner_;
};

}  // namespace internal

// Matches a Status or StatusOr that has this code; `code` may also be a matcher of codes.
inline internal::StatusIsMatcher StatusIs(testing::Matcher<absl::StatusCode> code) {
  return internal::StatusIsMatcher(std::move(code), testing::_);
}

// Matches a Status or StatusOr that has this code and this message; each may also be a matcher.
inline internal::StatusIsMatcher StatusIs(testing::Matcher<absl::StatusCode> code,
                                          testing::Matcher<std::string> message) {
  return internal::StatusIsMatcher(std::move(code), std::move(message));
}

inline internal::IsOkMatcher IsOk() { return internal::IsOkMatcher(); }

// Matches an OK StatusOr whose value equals `inner` or matches it.
template <typename Inner>
internal::IsOkAndHoldsMatcher<std::decay_t<Inner>> IsOkAndHolds(Inner&& inner) {
  return internal::IsOkAndHoldsMatcher<std::decay_t<Inner>>(std::forward<Inner>(inner));
}

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_TESTING_STATUS_MATCHERS_H_
