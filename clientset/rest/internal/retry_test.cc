#include "clientset/rest/internal/retry.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/rest/request.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/transport_error.h"

namespace kube::rest::internal {
namespace {

using base::StatusIs;
using Kind = RetryStep::Kind;

TryOutcome Response(int status, std::optional<absl::Duration> retry_after = std::nullopt) {
  return {.status = status, .retry_after = retry_after};
}

TryOutcome Failure(httpclient::TransportErrorKind kind, bool maybe_sent = true) {
  return {.error =
              httpclient::MakeTransportError({.kind = kind, .maybe_sent = maybe_sent}, "no luck")};
}

struct Case {
  std::string name;
  std::string verb;
  RetryRule rule;
  TryOutcome outcome;
  Kind kind;
  absl::Duration wait = absl::ZeroDuration();
};

// The first try of a request.
// behaviour.md: REST-4, REST-5
TEST(RetryStateTest, DecidesByVerbRuleAndOutcome) {
  constexpr RetryRule kDefault = RetryRule::kDefault;
  constexpr RetryRule kStream = RetryRule::kStream;
  constexpr RetryRule kWatch = RetryRule::kWatch;
  const absl::Duration second = absl::Seconds(1);
  const std::vector<Case> cases = {
      {"429 with Retry-After", "POST", kDefault, Response(429, second), Kind::kRetry, second},
      {"429 without", "GET", kDefault, Response(429), Kind::kFinish},
      {"500 with Retry-After", "PUT", kStream, Response(500, 2 * second), Kind::kRetry, 2 * second},
      {"599 with Retry-After", "GET", kWatch, Response(599, second), Kind::kRetry, second},
      {"503 without", "GET", kDefault, Response(503), Kind::kFinish},
      {"404 with Retry-After", "GET", kDefault, Response(404, second), Kind::kFinish},
      {"499 with Retry-After", "GET", kDefault, Response(499, second), Kind::kFinish},
      {"GET reset", "GET", kDefault, Failure(httpclient::TransportErrorKind::kReset), Kind::kRetry,
       second},
      {"GET closed", "GET", kDefault, Failure(httpclient::TransportErrorKind::kEof), Kind::kRetry,
       second},
      {"GET lost", "GET", kDefault, Failure(httpclient::TransportErrorKind::kLost), Kind::kRetry,
       second},
      {"GET refused", "GET", kDefault, Failure(httpclient::TransportErrorKind::kConnect),
       Kind::kFinish},
      {"GET no TLS", "GET", kDefault, Failure(httpclient::TransportErrorKind::kTls), Kind::kFinish},
      {"GET no address", "GET", kDefault, Failure(httpclient::TransportErrorKind::kResolve),
       Kind::kFinish},
      {"GET slow header", "GET", kDefault, Failure(httpclient::TransportErrorKind::kTimeout),
       Kind::kFinish},
      {"GET transport closed", "GET", kDefault, Failure(httpclient::TransportErrorKind::kClosed),
       Kind::kFinish},
      {"HEAD reset", "HEAD", kDefault, Failure(httpclient::TransportErrorKind::kReset),
       Kind::kFinish},
      {"POST reset", "POST", kDefault, Failure(httpclient::TransportErrorKind::kReset),
       Kind::kFinish},
      {"DELETE closed", "DELETE", kDefault, Failure(httpclient::TransportErrorKind::kEof),
       Kind::kFinish},
      {"POST on a dead connection", "POST", kDefault,
       Failure(httpclient::TransportErrorKind::kEof, false), Kind::kRetry},
      {"PATCH after GOAWAY", "PATCH", kDefault,
       Failure(httpclient::TransportErrorKind::kLost, false), Kind::kRetry},
      {"POST refused, so not sent", "POST", kDefault,
       Failure(httpclient::TransportErrorKind::kConnect, false), Kind::kFinish},
      {"stream reset", "GET", kStream, Failure(httpclient::TransportErrorKind::kReset),
       Kind::kFinish},
      {"stream on a dead connection", "GET", kStream,
       Failure(httpclient::TransportErrorKind::kReset, false), Kind::kRetry},
      {"watch reset", "GET", kWatch, Failure(httpclient::TransportErrorKind::kReset), Kind::kRetry,
       second},
      {"watch slow header", "GET", kWatch, Failure(httpclient::TransportErrorKind::kTimeout),
       Kind::kRetry, second},
      {"watch refused", "GET", kWatch, Failure(httpclient::TransportErrorKind::kConnect),
       Kind::kFinish},
      {"no transport error", "GET", kDefault, {.error = absl::InternalError("x")}, Kind::kFinish},
      {"401", "POST", kDefault, Response(401), Kind::kAskForNewCredential},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    RetryState state(c.verb, c.rule, 10);
    const RetryStep step = state.Next(c.outcome);
    EXPECT_EQ(step.kind, c.kind);
    EXPECT_EQ(step.wait, c.wait);
    EXPECT_EQ(step.reason.empty(), step.kind != Kind::kRetry);
  }
}

// behaviour.md: REST-3
TEST(RetryStateTest, GivesUpAfterMaxRetries) {
  for (const int max_retries : {-1, 0, 1, 10}) {
    SCOPED_TRACE(max_retries);
    RetryState state("GET", RetryRule::kDefault, max_retries);
    for (int i = 0; i < max_retries; ++i) {
      EXPECT_EQ(state.Next(Response(429, absl::ZeroDuration())).kind, Kind::kRetry);
    }
    EXPECT_EQ(state.Next(Response(429, absl::ZeroDuration())).kind, Kind::kFinish);
  }
}

// behaviour.md: REST-5
TEST(RetryStateTest, AWatchWhoseConnectionIsAlwaysLostIsEmpty) {
  RetryState state("GET", RetryRule::kWatch, 1);
  EXPECT_EQ(state.Next(Failure(httpclient::TransportErrorKind::kEof)).kind, Kind::kRetry);
  EXPECT_EQ(state.Next(Failure(httpclient::TransportErrorKind::kEof)).kind, Kind::kEmptyWatch);
}

TEST(RetryStateTest, AWatchThatIsRefusedForEverFails) {
  RetryState state("GET", RetryRule::kWatch, 1);
  EXPECT_EQ(state.Next(Response(503, absl::Seconds(1))).kind, Kind::kRetry);
  EXPECT_EQ(state.Next(Response(503, absl::Seconds(1))).kind, Kind::kFinish);
}

TEST(RetryStateTest, AsksForANewCredentialOnce) {
  RetryState state("GET", RetryRule::kDefault, 0);
  EXPECT_EQ(state.Next(Response(401)).kind, Kind::kAskForNewCredential);
  EXPECT_EQ(state.Next(Response(401)).kind, Kind::kFinish);
}

TEST(RetryStateTest, WaitsAfterTheSecondDeadConnection) {
  RetryState state("POST", RetryRule::kDefault, 10);
  EXPECT_EQ(state.Next(Failure(httpclient::TransportErrorKind::kLost, false)).wait,
            absl::ZeroDuration());
  EXPECT_EQ(state.Next(Failure(httpclient::TransportErrorKind::kLost, false)).wait,
            absl::Seconds(1));
}

TEST(RetryStateTest, SaysWhy) {
  RetryState state("GET", RetryRule::kDefault, 10);
  EXPECT_EQ(state.Next(Response(503, absl::Seconds(2))).reason,
            "retries: 1, retry-after: 2s - retry-reason: 503");
  EXPECT_EQ(state.Next(Response(429, absl::Seconds(1))).reason,
            "retries: 2, retry-after: 1s - retry-reason: due to server-side throttling, "
            "FlowSchema UID: \"\"");
  TryOutcome throttled = Response(429, absl::Seconds(1));
  throttled.flow_schema_uid = "fs-1";
  EXPECT_EQ(state.Next(throttled).reason,
            "retries: 3, retry-after: 1s - retry-reason: due to server-side throttling, "
            "FlowSchema UID: \"fs-1\"");
  EXPECT_EQ(state.Next(Failure(httpclient::TransportErrorKind::kEof)).reason,
            "retries: 4, retry-after: 1s - retry-reason: due to retryable error, error: no luck");
}

// behaviour.md: REST-13
TEST(PreviousErrorsTest, TellsOfTheTryBefore) {
  absl::Status current = absl::DeadlineExceededError("too late");
  current.SetPayload("type", absl::Cord("payload"));

  PreviousErrors errors;
  EXPECT_EQ(errors.Wrap(current, false), current);

  errors.Add(Failure(httpclient::TransportErrorKind::kEof));
  const absl::Status wrapped = errors.Wrap(current, false);
  EXPECT_THAT(wrapped, StatusIs(absl::StatusCode::kDeadlineExceeded,
                                "too late - error from a previous attempt: no luck"));
  EXPECT_EQ(wrapped.GetPayload("type"), absl::Cord("payload"));
  EXPECT_EQ(errors.Wrap(current, true).message(), wrapped.message());
  EXPECT_EQ(errors.Wrap(absl::UnavailableError("no luck"), false).message(), "no luck");

  errors.Add(Response(429));
  EXPECT_EQ(errors.Wrap(current, false).message(),
            "too late - error from a previous attempt: the server responded with the status code "
            "429 Too Many Requests");
  EXPECT_EQ(errors.Wrap(current, true), current);
}

}  // namespace
}  // namespace kube::rest::internal
