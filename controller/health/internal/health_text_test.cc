#include "controller/health/internal/health_text.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "apimachinery/queryparams/values.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

// Texts are those of k8s.io/apiserver's healthz_test.go and healthz.go.
namespace kube::health::internal {
namespace {

constexpr char kPlainText[] = "text/plain; charset=utf-8";

CheckResult Well(std::string name) { return {std::move(name), absl::OkStatus()}; }
CheckResult Bad(std::string name) { return {std::move(name), absl::InternalError("a secret")}; }
CheckResult Left(std::string name) { return {std::move(name), std::nullopt}; }

// behaviour.md: MGR-40, MGR-41
TEST(HealthText, AnswerOfAll_FailedOrExcludedChecks_ListsThem) {
  const struct {
    const char* name;
    std::vector<CheckResult> results;
    const char* query;
    int status;
    const char* body;
  } cases[] = {
      {"well", {Well("ping"), Well("b")}, "", 200, "ok"},
      {"well, verbose",
       {Well("ping"), Well("b")},
       "verbose",
       200,
       "[+]ping ok\n[+]b ok\nreadyz check passed\n"},
      {"verbose has no value that counts",
       {Well("ping")},
       "verbose=false",
       200,
       "[+]ping ok\nreadyz check passed\n"},
      {"one has failed: verbose always, without its reason",
       {Well("ping"), Bad("b"), Well("c")},
       "",
       500,
       "[+]ping ok\n[-]b failed: reason withheld\n[+]c ok\nreadyz check failed\n"},
      {"two have",
       {Bad("a"), Bad("b")},
       "verbose",
       500,
       "[-]a failed: reason withheld\n[-]b failed: reason withheld\nreadyz check failed\n"},
      {"excluded", {Well("ping"), Left("b")}, "exclude=b", 200, "ok"},
      {"excluded, verbose",
       {Well("ping"), Left("b")},
       "verbose&exclude=b",
       200,
       "[+]ping ok\n[+]b excluded: ok\nreadyz check passed\n"},
      {"excluded and failed",
       {Left("a"), Bad("b")},
       "exclude=a",
       500,
       "[+]a excluded: ok\n[-]b failed: reason withheld\nreadyz check failed\n"},
      {"what is not there cannot be excluded",
       {Well("ping")},
       "verbose&exclude=z&exclude=y&exclude=z&exclude=%22",
       200,
       "[+]ping ok\nwarn: some health checks cannot be excluded: no matches for "
       "\"\\\"\",\"y\",\"z\"\nreadyz check passed\n"},
  };
  for (const auto& test : cases) {
    const httpserver::Response response =
        AnswerOfAll("readyz", test.results, queryparams::ParseQuery(test.query));
    EXPECT_EQ(response.status, test.status) << test.name;
    EXPECT_EQ(response.body, test.body) << test.name;
    EXPECT_EQ(response.headers.Get("content-type"), kPlainText) << test.name;
    EXPECT_EQ(response.headers.Get("x-content-type-options"), "nosniff") << test.name;
  }
}

// behaviour.md: MGR-42
TEST(HealthText, AnswerOfOne_Error_Returns500WithItsMessage) {
  EXPECT_EQ(AnswerOfOne(absl::OkStatus()).status, 200);
  EXPECT_EQ(AnswerOfOne(absl::OkStatus()).body, "ok");
  const httpserver::Response bad = AnswerOfOne(absl::InternalError("no disk"));
  EXPECT_EQ(bad.status, 500);
  EXPECT_EQ(bad.body, "internal server error: no disk\n");
  EXPECT_EQ(bad.headers.Get("content-type"), kPlainText);
}

// behaviour.md: MGR-41
TEST(HealthText, IsExcluded_OnlyByItsWholeName) {
  const queryparams::Values query = queryparams::ParseQuery("exclude=a&exclude=b%2Fc&verbose");
  EXPECT_TRUE(IsExcluded(query, "a"));
  EXPECT_TRUE(IsExcluded(query, "b/c"));
  EXPECT_FALSE(IsExcluded(query, "b"));
  EXPECT_FALSE(IsExcluded(query, "verbose"));
}

}  // namespace
}  // namespace kube::health::internal
