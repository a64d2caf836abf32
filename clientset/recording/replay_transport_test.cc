#include "clientset/recording/replay_transport.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/recording/exchange.h"
#include "clientset/rest/config.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport_error.h"

namespace kube::recording {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Exchange Answered(const std::string& method, const std::string& url, const std::string& answer) {
  Exchange exchange;
  exchange.method = method;
  exchange.url = "http://recorded" + url;
  exchange.response = ResponseHead{.status = 200};
  exchange.parts.push_back({.bytes = answer});
  exchange.end = ExchangeEnd::kComplete;
  return exchange;
}

Recording RecordingOf(std::vector<Exchange> exchanges) {
  for (size_t i = 0; i < exchanges.size(); ++i) exchanges[i].number = static_cast<int64_t>(i) + 1;
  return {.exchanges = std::move(exchanges)};
}

// Sends a request and returns the body of the response.
absl::StatusOr<std::string> Send(ReplayTransport& replay, const std::string& method,
                                 const std::string& path, const std::string& body = "") {
  httpclient::HttpRequest request = {.method = method, .url = "http://replayed" + path};
  if (!body.empty()) request.body = std::make_shared<const std::string>(body);
  absl::StatusOr<httpclient::HttpResponse> response =
      replay.RoundTrip(Context(), std::move(request));
  if (!response.ok()) return response.status();
  std::string all;
  while (true) {
    absl::StatusOr<std::string> bytes = response->body->Read(Context());
    if (!bytes.ok()) return bytes.status();
    if (bytes->empty()) return all;
    all += *bytes;
  }
}

TEST(ReplayTransport, OfEqualRequests_AnswersInTheOrderOfTheRecording) {
  ReplayTransport replay(RecordingOf(
      {Answered("GET", "/a", "1"), Answered("GET", "/b", "2"), Answered("GET", "/a", "3")}));
  EXPECT_EQ(replay.host(), "http://recorded");
  EXPECT_THAT(Send(replay, "GET", "/b"), IsOkAndHolds("2"));
  EXPECT_THAT(Send(replay, "GET", "/a"), IsOkAndHolds("1"));
  EXPECT_THAT(replay.unused(), ElementsAre("exchange 3: GET /a"));
  EXPECT_THAT(replay.Verify(),
              StatusIs(absl::StatusCode::kFailedPrecondition, "not used: exchange 3: GET /a"));
  EXPECT_THAT(Send(replay, "GET", "/a"), IsOkAndHolds("3"));
  EXPECT_THAT(replay.Verify(), IsOk());
}

TEST(ReplayTransport, OfARequestThatWasNotRecorded_NamesTheNearest) {
  ReplayTransport replay(RecordingOf(
      {Answered("GET", "/api/v1/pods?limit=5", "1"), Answered("DELETE", "/apis/apps/v1/x", "2")}));
  const std::string text =
      "replay GET /api/v1/pods?limit=6: not in the recording; the nearest is "
      "exchange 1: GET /api/v1/pods?limit=5";
  EXPECT_THAT(Send(replay, "GET", "/api/v1/pods?limit=6").status(),
              StatusIs(absl::StatusCode::kInternal, text));
  EXPECT_THAT(replay.unexpected(), ElementsAre(text));
  EXPECT_THAT(replay.Verify(), StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr(text)));
}

TEST(ReplayTransport, OfARequestThatIsUsedUp_SaysSo) {
  ReplayTransport replay(RecordingOf({Answered("GET", "/a", "1")}));
  EXPECT_THAT(Send(replay, "GET", "/a"), IsOk());
  EXPECT_THAT(Send(replay, "GET", "/a").status(),
              StatusIs(absl::StatusCode::kInternal,
                       "replay GET /a: not recorded again; the nearest is "
                       "exchange 1: GET /a (used)"));
}

TEST(ReplayTransport, OfARecordingWhoseSinkWasFull_SaysSoInErrors) {
  Recording recording = RecordingOf({Answered("GET", "/a", "1")});
  recording.full = true;
  ReplayTransport replay(std::move(recording));
  EXPECT_THAT(Send(replay, "GET", "/a"), IsOkAndHolds("1"));
  EXPECT_THAT(Send(replay, "GET", "/b").status(),
              StatusIs(absl::StatusCode::kInternal,
                       HasSubstr("; the recording is incomplete: its sink was full")));
}

// Each request is the last of its kind that is left, in a recording in which a search from the
// start would look at all lines before it.
TEST(ReplayTransport, OfALongRecording_AnswersInTheOrderOfEqualRequests) {
  constexpr int kLines = 20000;
  std::vector<Exchange> exchanges;
  for (int i = 0; i < kLines; ++i) {
    exchanges.push_back(
        Answered("GET", i % 2 == 0 ? "/polled" : absl::StrCat("/", i), absl::StrCat(i)));
  }
  for (const ReplayOrder order : {ReplayOrder::kByRequest, ReplayOrder::kStrict}) {
    ReplayTransport replay(RecordingOf(exchanges), {.order = order});
    for (int i = 0; i < kLines; ++i) {
      const std::string path = i % 2 == 0 ? "/polled" : absl::StrCat("/", i);
      ASSERT_THAT(Send(replay, "GET", path), IsOkAndHolds(absl::StrCat(i)));
    }
    EXPECT_THAT(replay.Verify(), IsOk());
  }
}

TEST(ReplayTransport, ThatIsStrictAndRepeats_GivesTheLastAnswerUntilItsTurnComes) {
  ReplayTransport replay(RecordingOf({Answered("GET", "/a", "1"), Answered("GET", "/b", "2"),
                                      Answered("GET", "/a", "3")}),
                         {.order = ReplayOrder::kStrict, .repeat_last = true});
  EXPECT_THAT(Send(replay, "GET", "/a"), IsOkAndHolds("1"));
  EXPECT_THAT(Send(replay, "GET", "/a"), IsOkAndHolds("1"));
  EXPECT_THAT(Send(replay, "GET", "/b"), IsOkAndHolds("2"));
  EXPECT_THAT(Send(replay, "GET", "/a"), IsOkAndHolds("3"));
  EXPECT_THAT(Send(replay, "GET", "/b"), IsOkAndHolds("2"));
}

TEST(ReplayTransport, ThatRepeats_GivesTheLastAnswerAgain) {
  ReplayTransport replay(RecordingOf({Answered("GET", "/a", "1"), Answered("GET", "/a", "2")}),
                         {.repeat_last = true});
  for (const char* answer : {"1", "2", "2"}) {
    EXPECT_THAT(Send(replay, "GET", "/a"), IsOkAndHolds(answer));
  }
}

TEST(ReplayTransport, OfAnEmptyRecording_FailsRequests) {
  ReplayTransport replay(Recording{});
  EXPECT_EQ(replay.host(), "http://localhost");
  EXPECT_THAT(Send(replay, "GET", "/a").status(),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("the recording is empty")));
}

TEST(ReplayTransport, OfParameters_IgnoresTheirOrderAndThoseOfTheOptions) {
  ReplayTransport replay(
      RecordingOf({Answered("GET", "/a?watch=true&timeoutSeconds=5&b=1", "1"),
                   Answered("GET", "/a?key=redacted-0123456789abcdef&b=2", "2")}));
  EXPECT_THAT(Send(replay, "GET", "/a?b=1&watch=true&timeoutSeconds=77&timeout=1m17s"),
              IsOkAndHolds("1"));
  EXPECT_THAT(Send(replay, "GET", "/a?b=2&key=hunter2"), IsOkAndHolds("2"));
}

TEST(ReplayTransport, ThatIsStrict_RefusesAnotherOrder) {
  ReplayTransport replay(RecordingOf({Answered("GET", "/a", "1"), Answered("GET", "/b", "2")}),
                         {.order = ReplayOrder::kStrict});
  EXPECT_THAT(Send(replay, "GET", "/b").status(),
              StatusIs(absl::StatusCode::kInternal,
                       HasSubstr("not the next request of the recording, which is exchange 1")));
  EXPECT_THAT(Send(replay, "GET", "/a"), IsOkAndHolds("1"));
  EXPECT_THAT(Send(replay, "GET", "/b"), IsOkAndHolds("2"));
}

TEST(ReplayTransport, ThatMatchesBodies_ComparesThemAsJson) {
  std::vector<Exchange> exchanges = {Answered("PUT", "/a", "1"), Answered("PUT", "/a", "2")};
  exchanges[0].body = "{\"a\":1,\"b\":2}";
  exchanges[1].body = "{\"a\":2}";
  ReplayTransport replay(RecordingOf(std::move(exchanges)), {.match_bodies = true});
  EXPECT_THAT(Send(replay, "PUT", "/a", "{ \"a\": 2 }"), IsOkAndHolds("2"));
  EXPECT_THAT(Send(replay, "PUT", "/a", "{\"a\":3}").status(),
              StatusIs(absl::StatusCode::kInternal,
                       HasSubstr("recorded only with another body; the nearest is "
                                 "exchange 1: PUT /a")));
  EXPECT_THAT(Send(replay, "PUT", "/a", "{\"b\":2,\"a\":1}"), IsOkAndHolds("1"));
}

TEST(ReplayTransport, OfHosts_ComparesThemIfTheOptionSaysSo) {
  ReplayTransport replay(RecordingOf({Answered("GET", "/a", "1")}), {.match_hosts = true});
  EXPECT_FALSE(Send(replay, "GET", "/a").ok());
  EXPECT_THAT(replay.RoundTrip(Context(), {.url = "http://recorded/a"}), IsOk());
}

TEST(ReplayTransport, OfAnUpgrade_IsNotImplemented) {
  ReplayTransport replay(Recording{});
  EXPECT_THAT(replay.RoundTrip(Context(), {.url = "http://h/a", .upgrade = true}).status(),
              StatusIs(absl::StatusCode::kUnimplemented));
}

// Plays a watch with an event after a second and one after an hour, and a reset a second later.
// Returns when they came.
std::vector<absl::Duration> TimesOfAWatch(double speed) {
  Exchange watch = Answered("GET", "/a?watch=true", "1");
  watch.response->at = absl::Seconds(1);
  watch.parts[0].at = absl::Seconds(2);
  watch.parts.push_back({.at = absl::Hours(1), .bytes = "2"});
  watch.end = ExchangeEnd::kFailed;
  watch.duration = absl::Hours(2);
  watch.error =
      httpclient::MakeTransportError({.kind = httpclient::TransportErrorKind::kReset}, "reset");
  std::vector<absl::Duration> times;
  base::SimRuntime sim;
  const absl::Status end = sim.Run([&] {
    ReplayTransport replay(RecordingOf({watch}), {.speed = speed});
    const base::MonotonicTime start = base::Now();
    auto response = replay.RoundTrip(Context(), {.url = "http://h/a?watch=true"});
    times.push_back(base::Now() - start);
    ASSERT_THAT(response, IsOk());
    for (const char* event : {"1", "2"}) {
      EXPECT_THAT(response->body->Read(Context()), IsOkAndHolds(event));
      times.push_back(base::Now() - start);
    }
    EXPECT_EQ(response->body->Read(Context()).status(), watch.error);
    times.push_back(base::Now() - start);
  });
  EXPECT_THAT(end, IsOk());
  return times;
}

TEST(ReplayTransport, OfAWatch_PlaysEventsAtTheirTimes) {
  EXPECT_THAT(TimesOfAWatch(1),
              ElementsAre(absl::Seconds(1), absl::Seconds(2), absl::Hours(1), absl::Hours(2)));
  EXPECT_THAT(TimesOfAWatch(2), ElementsAre(absl::Milliseconds(500), absl::Seconds(1),
                                            absl::Minutes(30), absl::Hours(1)));
  EXPECT_THAT(TimesOfAWatch(0), ElementsAre(absl::ZeroDuration(), absl::ZeroDuration(),
                                            absl::ZeroDuration(), absl::ZeroDuration()));
}

TEST(ReplayTransport, OfAnOpenWatch_IsSilentUntilTheReaderGivesUp) {
  Exchange watch = Answered("GET", "/a", "1");
  watch.end = ExchangeEnd::kOpen;
  base::SimRuntime sim;
  const absl::Status end = sim.Run([&] {
    ReplayTransport replay(RecordingOf({watch}));
    auto response = replay.RoundTrip(Context(), {.url = "http://h/a"});
    ASSERT_THAT(response, IsOk());
    EXPECT_THAT(response->body->Read(Context()), IsOkAndHolds("1"));
    EXPECT_THAT(response->body->Read(WithTimeout(Context(), absl::Hours(9))).status(),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    response->body->Close();
    EXPECT_THAT(response->body->Read(Context()).status(), StatusIs(absl::StatusCode::kCancelled));
    EXPECT_THAT(replay.unused(), IsEmpty());
  });
  EXPECT_THAT(end, IsOk());
}

TEST(ReplayTransport, OfABodyThatWasTruncated_FailsWhereItEnds) {
  Exchange large = Answered("GET", "/a", "1");
  large.end = ExchangeEnd::kTruncated;
  ReplayTransport replay(RecordingOf({large}));
  EXPECT_THAT(Send(replay, "GET", "/a").status(),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("max_body_bytes")));
}

TEST(ReplayConfig, SpeaksJsonToTheRecordedHost) {
  const auto replay =
      std::make_shared<ReplayTransport>(RecordingOf({Answered("GET", "/version", "{}")}));
  const rest::Config config = ReplayConfig(replay);
  EXPECT_EQ(config.host, "http://recorded");
  EXPECT_EQ(config.content_type, "application/json");
  EXPECT_EQ(config.transport, replay);
}

}  // namespace
}  // namespace kube::recording
