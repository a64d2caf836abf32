#include "apimachinery/queryparams/queryparams.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/queryparams/values.h"
#include "apimachinery/types/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::queryparams {
namespace {

namespace corev1 = ::kube::api::core::v1;
namespace metav1 = ::kube::api::meta::v1;

using base::StatusIs;
using testing::ElementsAre;

// behaviour.md: COD-9
TEST(EncodeParametersTest, LeavesOutWhatIsEmpty) {
  metav1::ListOptions options;
  options.kind = "ListOptions";
  options.api_version = "v1";
  EXPECT_EQ(EncodeParameters(options), Values());
  options.label_selector = "app=web";
  options.limit = 500;
  options.watch = true;
  options.timeout_seconds = 0;  // there, and so said
  options.send_initial_events = false;
  EXPECT_EQ(
      EncodeQuery(EncodeParameters(options)),
      "labelSelector=app%3Dweb&limit=500&sendInitialEvents=false&timeoutSeconds=0&watch=true");
}

TEST(EncodeParametersTest, OptionsBecomeAQuery_AsInTheHeader) {
  const metav1::ListOptions options = {.label_selector = "app=web", .limit = 500};
  const std::string query = EncodeQuery(EncodeParameters(options));
  // labelSelector=app%3Dweb&limit=500
  EXPECT_EQ(query, "labelSelector=app%3Dweb&limit=500");
}

TEST(EncodeParametersTest, ListsAndStructsWithin) {
  metav1::DeleteOptions options;
  options.dry_run = {"All", "", "More"};
  options.preconditions.emplace().uid = "u-1";
  EXPECT_EQ(EncodeQuery(EncodeParameters(options)), "dryRun=All&dryRun=More&uid=u-1");

  corev1::PodExecOptions exec;
  exec.command = {"sh", "-c", "echo a b"};
  exec.stdout_ = true;
  EXPECT_EQ(EncodeQuery(EncodeParameters(exec)),
            "command=sh&command=-c&command=echo+a+b&stdout=true");

  corev1::PodPortForwardOptions forward;
  forward.ports = {80, 443};
  EXPECT_EQ(EncodeQuery(EncodeParameters(forward)), "ports=80&ports=443");
}

TEST(EncodeParametersTest, Times) {
  corev1::PodLogOptions options;
  options.since_time = Time();
  EXPECT_EQ(EncodeQuery(EncodeParameters(options)), "sinceTime=");
  options.since_time = Time::FromUnixSeconds(1767225600);
  EXPECT_EQ(EncodeQuery(EncodeParameters(options)), "sinceTime=2026-01-01T00%3A00%3A00Z");
}

TEST(DecodeParametersTest, ReadsWhatIsWritten) {
  metav1::DeleteOptions options;
  options.grace_period_seconds = -30;
  options.orphan_dependents = false;
  options.propagation_policy = "Foreground";
  options.dry_run = {"All"};
  options.preconditions.emplace().resource_version = "17";
  const absl::StatusOr<metav1::DeleteOptions> decoded =
      DecodeParameters<metav1::DeleteOptions>(EncodeParameters(options));
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_EQ(*decoded, options);
}

TEST(DecodeParametersTest, BoolsAreTrueUnlessTheySayNo) {
  struct Case {
    const char* text;
    bool want;
  };
  const std::vector<Case> cases = {{"", true},   {"true", true}, {"no", true},
                                   {"00", true}, {"0", false},   {"FALSE", false}};
  for (const Case& c : cases) {
    const auto options = DecodeParameters<metav1::ListOptions>({{"watch", {c.text, "ignored"}}});
    ASSERT_TRUE(options.ok());
    EXPECT_EQ(options->watch, c.want) << c.text;
  }
}

TEST(DecodeParametersTest, ListsTakeAllValues) {
  const auto options =
      DecodeParameters<corev1::PodPortForwardOptions>({{"ports", {"80,443", "1"}}});
  ASSERT_TRUE(options.ok());
  EXPECT_THAT(options->ports, ElementsAre(80, 443, 1));
  const auto exec = DecodeParameters<corev1::PodExecOptions>({{"command", {"a", "", "b"}}});
  ASSERT_TRUE(exec.ok());
  EXPECT_THAT(exec->command, ElementsAre("a", "", "b"));
}

TEST(DecodeParametersTest, Times) {
  for (const char* text : {"", "null"}) {
    const auto zero = DecodeParameters<corev1::PodLogOptions>({{"sinceTime", {text}}});
    ASSERT_TRUE(zero.ok());
    EXPECT_EQ(zero->since_time, Time()) << text;
  }
  const auto options =
      DecodeParameters<corev1::PodLogOptions>({{"sinceTime", {"2026-01-01T01:00:00.5+01:00"}}});
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->since_time, Time::FromUnixSeconds(1767225600));
}

TEST(DecodeParametersTest, SaysWhatIsWrong) {
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
  EXPECT_THAT(DecodeParameters<metav1::ListOptions>({{"limit", {"many"}}}),
              StatusIs(kInvalid, "strconv.ParseInt: parsing \"many\": invalid syntax"));
  EXPECT_THAT(DecodeParameters<metav1::ListOptions>({{"limit", {" 1"}}}),
              StatusIs(kInvalid, "strconv.ParseInt: parsing \" 1\": invalid syntax"));
  EXPECT_THAT(
      DecodeParameters<metav1::ListOptions>({{"timeoutSeconds", {"9223372036854775808"}}}),
      StatusIs(kInvalid, "strconv.ParseInt: parsing \"9223372036854775808\": value out of range"));
  EXPECT_THAT(DecodeParameters<corev1::PodPortForwardOptions>({{"ports", {"80,70000"}}}),
              StatusIs(kInvalid,
                       "cannot convert to []int32: strconv.ParseUint: parsing \"70000\": "
                       "value out of range"));
  EXPECT_THAT(DecodeParameters<corev1::PodLogOptions>({{"sinceTime", {"now"}}}),
              StatusIs(kInvalid));
}

}  // namespace
}  // namespace kube::queryparams
