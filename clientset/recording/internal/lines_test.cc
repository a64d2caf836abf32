#include "clientset/recording/internal/lines.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/recording/exchange.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/transport_error.h"

namespace kube::recording::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using httpclient::TransportError;
using httpclient::TransportErrorKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// Returns an exchange with bytes that are not UTF-8, and a number.
Exchange Sample(int64_t number) {
  Exchange exchange;
  exchange.number = number;
  exchange.time = absl::FromUnixMicros(1'700'000'000'000'001);
  exchange.start = absl::Microseconds(5);
  exchange.method = "POST";
  exchange.url = "https://h/api/v1/pods?limit=5&a=\"<>";
  exchange.headers = {{"accept", "application/json"}, {"x-odd", "\xff"}};
  exchange.body = std::string("\x00k8s\xfe", 5);
  return exchange;
}

absl::Status AddAll(absl::string_view text, LineReader& reader) {
  for (const absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    const absl::Status status = reader.Add(line);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

TEST(Lines, OfAnExchange_AreReadAsTheyWereWritten) {
  const ResponseHead head = {
      .at = absl::Milliseconds(3), .status = 201, .headers = {{"a", "b"}}, .http_version = 2};
  const std::vector<BodyPart> parts = {{.at = absl::Milliseconds(4), .bytes = "{\"a\":1}\n"},
                                       {.at = absl::Hours(5), .bytes = "\xff\xfe"}};
  const absl::Status error = httpclient::MakeTransportError(
      {.kind = TransportErrorKind::kReset, .maybe_sent = false}, "reset by peer");
  LineReader reader;
  ASSERT_THAT(AddAll(RecordingLine(true), reader), IsOk());
  ASSERT_THAT(AddAll(RequestLine(Sample(1)), reader), IsOk());
  ASSERT_THAT(AddAll(ResponseLine(1, head), reader), IsOk());
  for (const BodyPart& part : parts) ASSERT_THAT(AddAll(BodyLine(1, part), reader), IsOk());
  ASSERT_THAT(AddAll(EndLine(1, ExchangeEnd::kFailed, absl::Hours(6), error), reader), IsOk());

  const Recording recording = reader.Take();
  EXPECT_TRUE(recording.redacted);
  EXPECT_FALSE(recording.full);
  ASSERT_THAT(recording.exchanges, SizeIs(1));
  const Exchange& read = recording.exchanges[0];
  const Exchange sample = Sample(1);
  EXPECT_EQ(read.number, 1);
  EXPECT_EQ(read.time, sample.time);
  EXPECT_EQ(read.start, sample.start);
  EXPECT_EQ(read.method, sample.method);
  EXPECT_EQ(read.url, sample.url);
  EXPECT_TRUE(read.headers == sample.headers);
  EXPECT_EQ(read.body, sample.body);
  ASSERT_TRUE(read.response.has_value());
  EXPECT_TRUE(*read.response == head);
  EXPECT_TRUE(read.parts == parts);
  EXPECT_EQ(read.end, ExchangeEnd::kFailed);
  EXPECT_EQ(read.duration, absl::Hours(6));
  EXPECT_THAT(read.error, StatusIs(absl::StatusCode::kUnavailable, HasSubstr("reset by peer")));
  const TransportError cause = {.kind = TransportErrorKind::kReset, .maybe_sent = false};
  EXPECT_EQ(httpclient::TransportErrorOf(read.error), cause);
}

TEST(Lines, OfThreads_AreSortedByNumber) {
  LineReader reader;
  ASSERT_THAT(AddAll(RecordingLine(true), reader), IsOk());
  for (const int64_t number : {2, 3, 1}) {
    ASSERT_THAT(AddAll(RequestLine(Sample(number)), reader), IsOk());
  }
  // A second recording in the same file counts from 1 again, and follows the first.
  ASSERT_THAT(AddAll(RecordingLine(false), reader), IsOk());
  ASSERT_THAT(AddAll(RequestLine(Sample(1)), reader), IsOk());
  const Recording recording = reader.Take();
  std::vector<int64_t> numbers;
  for (const Exchange& exchange : recording.exchanges) numbers.push_back(exchange.number);
  EXPECT_THAT(numbers, ElementsAre(1, 2, 3, 1));
  EXPECT_FALSE(recording.redacted);
}

struct BadLine {
  const char* name;
  const char* line;
  const char* cause;
};
constexpr BadLine kBadLines[] = {
    {"not JSON", "{", "decode JSON"},
    {"no type", "{}", "\"type\""},
    {"unknown type", R"({"type":"x","n":1})", "type \"x\" is not known"},
    {"no such exchange", R"({"type":"end","n":7,"at":1,"how":"complete"})", "7 has no request"},
    {"repeated", R"({"type":"request","n":1,"at":0,"time":0,"method":"","url":"","headers":[]})",
     "exchange 1 is repeated"},
    {"negative time", R"({"type":"response","n":1,"at":-1,"status":200})", "\"at\""},
    {"status", R"({"type":"response","n":1,"at":1,"status":"200"})", "\"status\""},
    {"body first", R"({"type":"body","n":1,"at":1,"text":"x"})", "no response yet"},
    {"complete", R"({"type":"end","n":1,"at":1,"how":"complete"})", "without a response"},
    {"unknown end", R"({"type":"end","n":1,"at":1,"how":"open"})", "\"how\""},
    {"no error", R"({"type":"end","n":1,"at":1,"how":"failed"})", "error: \"code\""},
    {"future", R"({"type":"recording","version":2})", "version 2 of the format is not known"},
};

TEST(Lines, ThatAreBad_GiveTheCause) {
  for (const BadLine& bad : kBadLines) {
    SCOPED_TRACE(bad.name);
    LineReader reader;
    ASSERT_THAT(AddAll(RecordingLine(true), reader), IsOk());
    ASSERT_THAT(AddAll(RequestLine(Sample(1)), reader), IsOk());
    EXPECT_THAT(reader.Add(bad.line),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(bad.cause)));
  }
}

TEST(Lines, BeforeTheFirstOfARecording_AreRefused) {
  LineReader reader;
  EXPECT_THAT(reader.Add(R"({"type":"full"})"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("begins with")));
}

TEST(Lines, AfterTheEndOfAnExchange_AreRefused) {
  LineReader reader;
  ASSERT_THAT(AddAll(RecordingLine(true), reader), IsOk());
  ASSERT_THAT(AddAll(RequestLine(Sample(1)), reader), IsOk());
  const std::string end = EndLine(1, ExchangeEnd::kAbandoned, absl::Seconds(1), absl::OkStatus());
  ASSERT_THAT(AddAll(end, reader), IsOk());
  EXPECT_THAT(AddAll(end, reader),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ended already")));
}

}  // namespace
}  // namespace kube::recording::internal
