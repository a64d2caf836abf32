#include "apimachinery/base/check.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

enum class Phase : uint8_t { kPending = 1, kRunning = 2 };
struct Opaque {
  bool operator==(const Opaque&) const { return false; }
};

TEST(CheckDeathTest, SaysWhereAndWhat) {
  const bool started = true;
  const std::string here = absl::StrCat("^check_test\\.cc:", __LINE__ + 1, ": check failed: ");
  EXPECT_DEATH(KUBE_CHECK(!started) << "run called " << 2 << " times",
               here + "!started run called 2 times\n$");
}

TEST(CheckDeathTest, Check_WithoutAMessage_NamesTheCondition) {
  EXPECT_DEATH(KUBE_CHECK(false), "check_test\\.cc:[0-9]+: check failed: false");
}

TEST(CheckDeathTest, ComparisonsPrintTheirOperands) {
  const std::vector<int> v = {1, 2};
  EXPECT_DEATH(KUBE_CHECK_EQ(v.size(), 3) << "labels", R"(v\.size\(\) == 3 \(2 vs\. 3\) labels)");
  EXPECT_DEATH(KUBE_CHECK_NE(v[0], 1), R"(v\[0\] != 1 \(1 vs\. 1\))");
  EXPECT_DEATH(KUBE_CHECK_LT(2, 2), R"(2 < 2 \(2 vs\. 2\))");
  EXPECT_DEATH(KUBE_CHECK_LE(3, 2), R"(3 <= 2 \(3 vs\. 2\))");
  EXPECT_DEATH(KUBE_CHECK_GT(2, 2), R"(2 > 2 \(2 vs\. 2\))");
  EXPECT_DEATH(KUBE_CHECK_GE(1, 2), R"(1 >= 2 \(1 vs\. 2\))");
}

TEST(CheckDeathTest, PrintsEveryKindOfOperand) {
  const std::string name = "web-0";
  const std::unique_ptr<int> null;
  EXPECT_DEATH(KUBE_CHECK_EQ(name, "web-1"), R"(\(web-0 vs\. web-1\))");
  EXPECT_DEATH(KUBE_CHECK_EQ(absl::string_view("a"), name), R"(\(a vs\. web-0\))");
  EXPECT_DEATH(KUBE_CHECK_EQ(true, false), R"(\(true vs\. false\))");
  EXPECT_DEATH(KUBE_CHECK_NE(null, nullptr), R"(vs\. nullptr\))");
  EXPECT_DEATH(KUBE_CHECK_EQ(Phase::kPending, Phase::kRunning), R"(\(1 vs\. 2\))");
  EXPECT_DEATH(KUBE_CHECK_EQ(Opaque(), Opaque()), R"(\(not printable\))");
}

TEST(CheckDeathTest, IntegersCompareByValue) {
  EXPECT_DEATH(KUBE_CHECK_GT(-1, 1u), R"(\(-1 vs\. 1\))");
  KUBE_CHECK_LT(-1, 1u);
  KUBE_CHECK_EQ(std::string("abc").size(), 3);
}

TEST(CheckDeathTest, CheckOk_StatusOrStatusOr_PrintsTheStatus) {
  const absl::Status status = absl::NotFoundError("pods \"web-0\"");
  EXPECT_DEATH(KUBE_CHECK_OK(status) << "then", R"(status is OK \(NOT_FOUND: pods "web-0"\) then)");
  const absl::StatusOr<int> result = absl::InternalError("no");
  EXPECT_DEATH(KUBE_CHECK_OK(result), R"(result is OK \(INTERNAL: no\))");
}

absl::Status Save(const std::vector<std::string>& values) {
  return values.empty() ? absl::DataLossError("no values") : absl::OkStatus();
}

void Publish(bool started, const std::vector<std::string>& values,
             const std::vector<std::string>& label_names, const std::string& name) {
  KUBE_CHECK(!started) << "Run called twice";
  KUBE_CHECK_EQ(values.size(), label_names.size()) << "labels of " << name;
  KUBE_CHECK_OK(Save(values));  // a Status or a StatusOr
}

TEST(CheckDeathTest, FailuresNameConditionAndMessage_AsInTheHeader) {
  const std::vector<std::string> none;
  const std::vector<std::string> two = {"200", "GET"};
  const std::vector<std::string> three = {"code", "method", "host"};
  Publish(false, two, two, "requests");
  EXPECT_DEATH(Publish(true, two, two, "requests"), "check failed: !started Run called twice");
  EXPECT_DEATH(Publish(false, two, three, "requests"),
               R"(check_test\.cc:[0-9]+: check failed: values\.size\(\) == label_names\.size\(\) )"
               R"(\(2 vs\. 3\) labels of requests)");
  EXPECT_DEATH(Publish(false, none, none, "requests"), "DATA_LOSS: no values");
}

TEST(Check, PassesAndEvaluatesOnce) {
  int evaluated = 0;
  int streamed = 0;
  KUBE_CHECK(++evaluated > 0) << ++streamed;
  KUBE_CHECK_EQ(++evaluated, 2) << ++streamed;
  KUBE_CHECK_OK(absl::StatusOr<int>(++evaluated)) << ++streamed;
  EXPECT_EQ(evaluated, 3);
  EXPECT_EQ(streamed, 0);
}

TEST(Check, StandsInALambdaWithinAnother) {
  int evaluated = 0;
  KUBE_CHECK_OK([&] {
    KUBE_CHECK_OK(absl::StatusOr<int>(++evaluated));
    KUBE_CHECK_EQ(
        [&] {
          KUBE_CHECK_EQ(evaluated, 1);
          return ++evaluated;
        }(),
        2);
    return absl::OkStatus();
  }());
  EXPECT_EQ(evaluated, 2);
}

TEST(Check, IsOneStatement) {
  bool taken = false;
  if (taken)
    KUBE_CHECK(false);
  else
    taken = true;
  EXPECT_TRUE(taken);
}

TEST(CheckDeathTest, DCheck_IsEvaluatedInDebugBuildsOnly) {
  int evaluated = 0;
  KUBE_DCHECK(++evaluated > 0);
#ifdef NDEBUG
  EXPECT_EQ(evaluated, 0);
  KUBE_DCHECK(false) << "not reached";
#else
  EXPECT_EQ(evaluated, 1);
  EXPECT_DEATH(KUBE_DCHECK(evaluated == 0) << "late", "check failed: evaluated == 0 late");
#endif
}

}  // namespace
}  // namespace kube::base
