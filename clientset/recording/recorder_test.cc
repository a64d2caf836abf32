#include "clientset/recording/recorder.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/watch/byte_stream.h"
#include "clientset/recording/exchange.h"
#include "clientset/recording/load.h"
#include "clientset/recording/sink.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/testing/scripted_stream.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"
#include "net/httpclient/transport_error.h"

namespace kube::recording {
namespace {

using base::IsOk;
using rest::JsonReply;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

class RecorderTest : public testing::Test {
 protected:
  std::shared_ptr<httpclient::Transport> Recorded(const RecorderOptions& options = {}) {
    return Recorder(sink_, options).Wrap(scripted_);
  }
  Recording Parsed(const std::string& text) {
    absl::StatusOr<Recording> recording = ParseRecording(text);
    EXPECT_THAT(recording, IsOk());
    return recording.ok() ? *std::move(recording) : Recording();
  }
  // The only exchange so far.
  Exchange Only() {
    const Recording recording = Parsed(sink_->text());
    EXPECT_THAT(recording.exchanges, SizeIs(1));
    return recording.exchanges.empty() ? Exchange() : recording.exchanges[0];
  }
  std::string Read(watch::ByteStream& body) {
    absl::StatusOr<std::string> bytes = body.Read(ctx_);
    EXPECT_THAT(bytes, IsOk());
    return bytes.ok() ? *std::move(bytes) : "";
  }

  base::FakeClock clock_;
  const base::RuntimeScope scope_{clock_};
  const std::shared_ptr<MemorySink> sink_ = std::make_shared<MemorySink>();
  const std::shared_ptr<rest::ScriptedTransport> scripted_ =
      std::make_shared<rest::ScriptedTransport>();
  const Context ctx_{};
};

TEST_F(RecorderTest, OfARequest_RecordsBothSides) {
  scripted_->Expect({}, JsonReply("{\"a\":1}", 201));
  const auto transport = Recorded();
  clock_.Step(absl::Seconds(3));
  absl::StatusOr<httpclient::HttpResponse> response =
      transport->RoundTrip(ctx_, {.method = "POST",
                                  .url = "http://h/api/v1/pods?dryRun=All",
                                  .headers = {{"content-type", "application/json"}},
                                  .body = std::make_shared<const std::string>("{}")});
  ASSERT_THAT(response, IsOk());
  EXPECT_EQ(Read(*response->body), "{\"a\":1}");
  clock_.Step(absl::Seconds(1));
  EXPECT_EQ(Read(*response->body), "");

  const Exchange exchange = Only();
  EXPECT_EQ(exchange.number, 1);
  EXPECT_EQ(exchange.start, absl::Seconds(3));
  EXPECT_EQ(exchange.method, "POST");
  EXPECT_EQ(exchange.url, "http://h/api/v1/pods?dryRun=All");
  EXPECT_EQ(exchange.body, "{}");
  ASSERT_TRUE(exchange.response.has_value());
  EXPECT_EQ(exchange.response->status, 201);
  ASSERT_THAT(exchange.parts, SizeIs(1));
  EXPECT_EQ(exchange.parts[0].bytes, "{\"a\":1}");
  EXPECT_EQ(exchange.end, ExchangeEnd::kComplete);
  EXPECT_EQ(exchange.duration, absl::Seconds(1));
}

TEST_F(RecorderTest, OfAWatch_RecordsEventsWhenTheyComeThoughItIsOpen) {
  const std::shared_ptr<rest::ScriptedStream> stream =
      scripted_->ExpectStream({}, {{"content-type", "application/json"}});
  absl::StatusOr<httpclient::HttpResponse> response =
      Recorded()->RoundTrip(ctx_, {.url = "http://h/api/v1/pods?watch=true"});
  ASSERT_THAT(response, IsOk());
  clock_.Step(absl::Seconds(5));
  stream->Write("{\"type\":\"ADD");
  EXPECT_EQ(Read(*response->body), "{\"type\":\"ADD");
  clock_.Step(absl::Seconds(5));
  stream->Write("ED\"}\n{}\n");
  EXPECT_EQ(Read(*response->body), "ED\"}\n{}\n");

  const Exchange open = Only();
  EXPECT_EQ(open.end, ExchangeEnd::kOpen);
  ASSERT_THAT(open.parts, SizeIs(2));
  EXPECT_EQ(open.parts[0].bytes, "{\"type\":\"ADDED\"}\n");
  EXPECT_EQ(open.parts[0].at, absl::Seconds(10));
  EXPECT_EQ(open.parts[1].bytes, "{}\n");
  response->body.reset();
  EXPECT_EQ(Only().end, ExchangeEnd::kAbandoned);
}

TEST_F(RecorderTest, OfErrors_RecordsThem) {
  const absl::Status error = httpclient::MakeTransportError(
      {.kind = httpclient::TransportErrorKind::kConnect, .maybe_sent = false}, "refused");
  scripted_->Expect({}, {.error = error});
  EXPECT_FALSE(Recorded()->RoundTrip(ctx_, {.url = "http://h/a"}).ok());
  const Exchange exchange = Only();
  EXPECT_FALSE(exchange.response.has_value());
  EXPECT_EQ(exchange.end, ExchangeEnd::kFailed);
  EXPECT_EQ(exchange.error, error);
}

TEST_F(RecorderTest, OfABodyThatBreaks_RecordsWhatCameBefore) {
  const auto stream = scripted_->ExpectStream({}, {{"content-type", "text/plain"}});
  absl::StatusOr<httpclient::HttpResponse> response =
      Recorded()->RoundTrip(ctx_, {.url = "http://h/a"});
  ASSERT_THAT(response, IsOk());
  stream->Write("abc");
  stream->End(
      httpclient::MakeTransportError({.kind = httpclient::TransportErrorKind::kEof}, "eof"));
  EXPECT_EQ(Read(*response->body), "abc");
  EXPECT_FALSE(response->body->Read(ctx_).ok());
  const Exchange exchange = Only();
  ASSERT_THAT(exchange.parts, SizeIs(1));
  EXPECT_EQ(exchange.parts[0].bytes, "abc");
  EXPECT_EQ(exchange.end, ExchangeEnd::kFailed);
}

TEST_F(RecorderTest, OfALargeBody_RecordsItsStart) {
  const auto stream = scripted_->ExpectStream({}, {{"content-type", "text/plain"}});
  absl::StatusOr<httpclient::HttpResponse> response =
      Recorded({.max_body_bytes = 4})->RoundTrip(ctx_, {.url = "http://h/a"});
  ASSERT_THAT(response, IsOk());
  for (const char* piece : {"abc", "de", "f"}) {
    stream->Write(piece);
    EXPECT_EQ(Read(*response->body), piece);
  }
  const Exchange exchange = Only();
  ASSERT_THAT(exchange.parts, SizeIs(1));
  EXPECT_EQ(exchange.parts[0].bytes, "abc");
  EXPECT_EQ(exchange.end, ExchangeEnd::kTruncated);
}

TEST_F(RecorderTest, OfAnUpgrade_RecordsNothing) {
  scripted_->Expect({}, JsonReply("{}", 403));
  EXPECT_THAT(Recorded()->RoundTrip(ctx_, {.url = "http://h/a", .upgrade = true}), IsOk());
  EXPECT_THAT(Parsed(sink_->text()).exchanges, SizeIs(0));
}

// Everything that a client sends and receives has the planted secret.
TEST_F(RecorderTest, OfAClientWithSecrets_LeavesNoneInTheRecording) {
  const Recorder recorder(sink_);
  const rest::Config config = recorder.Record({.host = "http://localhost",
                                               .bearer_token = base::Secret("hunter2"),
                                               .transport = scripted_});
  EXPECT_EQ(config.content_type, "application/json");
  const absl::StatusOr<rest::Client> client = rest::MakeClient(config);
  ASSERT_THAT(client, IsOk());
  constexpr char kSecret[] = R"({"kind":"Secret","apiVersion":"v1","data":{"a":"aHVudGVyMg=="}})";
  rest::ScriptedReply reply = JsonReply(kSecret);
  reply.headers.Add("set-cookie", "session=hunter2");
  scripted_->Expect({}, reply);
  const auto result =
      client->Do(ctx_, {.absolute_path = "/api/v1/namespaces/a/secrets/b?token=hunter2"});
  ASSERT_THAT(result, IsOk());
  // The program itself has it.
  EXPECT_EQ(result->body, kSecret);
  EXPECT_EQ(scripted_->requests()[0].Header("authorization"), "Bearer hunter2");

  EXPECT_THAT(sink_->text(), HasSubstr("redacted-"));
  EXPECT_THAT(sink_->text(), Not(HasSubstr("hunter2")));
  EXPECT_THAT(sink_->text(), Not(HasSubstr("aHVudGVyMg")));
}

TEST_F(RecorderTest, OfAServerSideApply_RedactsMembers) {
  scripted_->Expect({}, JsonReply("{}"));
  ASSERT_THAT(Recorded({.redaction = {.members = {"password"}}})
                  ->RoundTrip(ctx_, {.method = "PATCH",
                                     .url = "http://h/apis/a/v1/databases/b",
                                     .headers = {{"content-type", "application/apply-patch+yaml"}},
                                     .body = std::make_shared<const std::string>(
                                         "{\"spec\":{\"password\":\"hunter2\"}}")}),
              IsOk());
  EXPECT_THAT(sink_->text(), HasSubstr("redacted-"));
  EXPECT_THAT(sink_->text(), Not(HasSubstr("hunter2")));
}

TEST_F(RecorderTest, WithoutRedaction_RecordsAllAndSaysSo) {
  scripted_->Expect({}, JsonReply("{}"));
  ASSERT_THAT(Recorded({.redaction = {.off = true}})
                  ->RoundTrip(ctx_, {.url = "http://h/a?token=hunter2",
                                     .headers = {{"authorization", "Bearer hunter2"}}}),
              IsOk());
  EXPECT_EQ(Only().url, "http://h/a?token=hunter2");
  EXPECT_EQ(Only().headers.Get("authorization"), "Bearer hunter2");
  EXPECT_FALSE(Parsed(sink_->text()).redacted);
}

}  // namespace
}  // namespace kube::recording
