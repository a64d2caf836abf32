#include "clientset/rest/warnings.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/context_fields.h"
#include "apimachinery/base/testing/log_capture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// clientset/rest/differential asks apimachinery about thousands of headers.
namespace kube::rest {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// behaviour.md: REST-17
TEST(WarningsTest, Parses) {
  EXPECT_THAT(ParseWarnings(R"(299 - "one \"x\"" "Wed, 21 Oct 2026 07:28:00 GMT", 199 host "two")"),
              ElementsAre(Warning{299, "-", "one \"x\""}, Warning{199, "host", "two"}));
  EXPECT_THAT(ParseWarnings(R"(299 - "=?utf-8?q?caf=C3=A9?=")"),
              ElementsAre(Warning{299, "-", "café"}));
  EXPECT_THAT(ParseWarnings(R"(299 - "one", 29 - "two", 299 - "three")"),
              ElementsAre(Warning{299, "-", "one"}));
  EXPECT_THAT(ParseWarnings("299 - \"a\nb\""), IsEmpty());
  EXPECT_THAT(ParseWarnings(""), IsEmpty());
}

// behaviour.md: REST-17
TEST(WarningsTest, LogsWhatIsForPeople) {
  const log::LogCapture capture;
  const auto logger = MakeWarningLogger();
  logger->HandleWarning(Context(), {299, "-", "deprecated"});
  logger->HandleWarning(Context(), {299, "-", "deprecated"});
  logger->HandleWarning(Context(), {199, "-", "stale"});
  logger->HandleWarning(Context(), {299, "-", ""});
  EXPECT_THAT(capture.Lines(), ElementsAre("W \"deprecated\"", "W \"deprecated\""));
}

// behaviour.md: REST-17
TEST(WarningsTest, LogsEachTextOnce) {
  const log::LogCapture capture;
  const auto logger = MakeDeduplicatingWarningLogger();
  logger->HandleWarning(Context(), {299, "-", "deprecated"});
  logger->HandleWarning(Context(), {299, "other", "deprecated"});
  logger->HandleWarning(Context(), {299, "-", "gone"});
  EXPECT_THAT(capture.Lines(), ElementsAre("W \"deprecated\"", "W \"gone\""));
}

TEST(WarningsTest, LogsTheFieldsOfTheRequestsContext) {
  const log::LogCapture capture;
  const Context ctx = WithLogFields(Context(), {{"name", "web-0"}});
  MakeWarningLogger()->HandleWarning(ctx, {299, "-", "deprecated"});
  MakeDeduplicatingWarningLogger()->HandleWarning(ctx, {299, "-", "gone"});
  EXPECT_THAT(capture.Lines(),
              ElementsAre("W \"deprecated\" name=\"web-0\"", "W \"gone\" name=\"web-0\""));
}

TEST(WarningsTest, RemembersOnlySoManyTexts) {
  const log::LogCapture capture;
  const auto logger = MakeDeduplicatingWarningLogger();
  for (int i = 0; i < 1000; ++i) logger->HandleWarning(Context(), {299, "-", absl::StrCat("w", i)});
  for (int i = 0; i < 3; ++i) {
    logger->HandleWarning(Context(), {299, "-", "w7"});   // remembered
    logger->HandleWarning(Context(), {299, "-", "new"});  // not remembered
  }
  EXPECT_THAT(capture.Lines(), SizeIs(1003));
}

// behaviour.md: REST-17
TEST(WarningsTest, Drops) {
  const log::LogCapture capture;
  NoWarnings()->HandleWarning(Context(), {299, "-", "deprecated"});
  EXPECT_THAT(capture.Lines(), IsEmpty());
}

}  // namespace
}  // namespace kube::rest
