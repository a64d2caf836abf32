// HTTP/1.1 requests for another protocol, and the bytes after the switch.

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/testing/fake_stream.h"
#include "net/httpclient/testing/http1_session_fixture.h"
#include "net/httpclient/transport_error.h"

namespace kube::httpclient::internal {
namespace {

using Kind = TransportErrorKind;

// ---- Other protocols

constexpr absl::string_view kSwitch =
    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n";
constexpr absl::string_view kSwitched = "101 connection=Upgrade upgrade=x; ";

// The bytes after the header are the stream's, however they are split, also those that look like
// HTTP.
TEST_F(Http1ConnectionTest, SwitchedBytesAreTheStreams) {
  const std::string after = absl::StrCat("first", kOk, "\r\n", std::string("\0\xff", 2));
  const std::string hint = "HTTP/1.1 103 Hints\r\nLink: x\r\n\r\n";
  for (const std::string& before : {std::string(), hint}) {
    const std::string bytes = absl::StrCat(before, kSwitch, after);
    for (size_t i = 0; i <= bytes.size(); ++i) {
      SCOPED_TRACE(i);
      const auto session = MakeSession();
      FakeStream stream(Upgrade());
      session->Start(stream);
      EXPECT_TRUE(session->draining());  // the connection is for this request only
      Sent(*session);
      session->Receive(bytes.substr(0, i));
      session->Receive(bytes.substr(i));
      EXPECT_EQ(stream.Told(), absl::StrCat(kSwitched, after, "..."));
      EXPECT_FALSE(session->failure().has_value());
    }
    const auto session = MakeSession();
    FakeStream stream(Upgrade());
    session->Start(stream);
    Sent(*session);
    for (const char& byte : bytes) session->Receive(absl::string_view(&byte, 1));
    EXPECT_EQ(stream.Told(), absl::StrCat(kSwitched, after, "..."));
  }
}

// Some servers send headers of a body with 101, which has none.
TEST_F(Http1ConnectionTest, SwitchedResponseHasNoBody) {
  for (const std::string header : {"Content-Length: 3\r\n", "Transfer-Encoding: chunked\r\n"}) {
    const auto session = MakeSession();
    FakeStream stream(Upgrade());
    session->Start(stream);
    Sent(*session);
    session->Receive(absl::StrCat("HTTP/1.1 101 S\r\n", header, "\r\nabcdef"));
    EXPECT_EQ(stream.body(), "abcdef");
    EXPECT_TRUE(stream.open());
  }
}

TEST_F(Http1ConnectionTest, SwitchedStreamsSend) {
  FakeStream stream(Upgrade());
  stream.outgoing = "one";
  session_->Start(stream);
  EXPECT_THAT(Sent(*session_), ::testing::EndsWith("\r\n\r\n"));  // nothing before 101
  EXPECT_EQ(Sent(*session_), "");
  session_->Receive(kSwitch);
  EXPECT_EQ(Sent(*session_, 1), "one");  // whatever the limit
  EXPECT_EQ(Sent(*session_), "");
  stream.outgoing = "two";
  session_->Receive("bytes");
  EXPECT_EQ(Sent(*session_), "two");
}

TEST_F(Http1ConnectionTest, SwitchedStreamsEndWithTheConnection) {
  FakeStream stream(Upgrade());
  Start(stream);
  session_->Receive(absl::StrCat(kSwitch, "bytes"));
  session_->EndOfInput();
  EXPECT_EQ(stream.Told(), absl::StrCat(kSwitched, "bytes; ok"));
  EXPECT_EQ(FailureKind(), Kind::kEof);
  EXPECT_EQ(Sent(*session_), "");
}

TEST_F(Http1ConnectionTest, SwitchedReadersMayBeBehind) {
  FakeStream stream(Upgrade());
  Start(stream);
  stream.reluctant = true;
  session_->Receive(kSwitch);
  EXPECT_TRUE(session_->wants_input());
  session_->Receive("a");
  EXPECT_FALSE(session_->wants_input());
  session_->Resume(stream);
  EXPECT_TRUE(session_->wants_input());
}

TEST_F(Http1ConnectionTest, SwitchedStreamsCanBeCancelled) {
  FakeStream stream(Upgrade());
  Start(stream);
  session_->Receive(kSwitch);
  session_->Cancel(stream);
  stream.OnCancel();
  EXPECT_TRUE(session_->failure().has_value());
  session_->Receive("bytes");
  EXPECT_EQ(Sent(*session_), "");
  session_->EndOfInput();
}

TEST_F(Http1ConnectionTest, SwitchBeforeTheEndOfTheRequest) {
  HttpRequest request = Upgrade();
  request.method = "POST";
  request.body = std::make_shared<std::string>(100'000, 'x');
  FakeStream stream(std::move(request));
  session_->Start(stream);
  Sent(*session_, 1000);
  session_->Receive(kSwitch);
  EXPECT_EQ(FailureKind(), Kind::kProtocol);
  EXPECT_TRUE(stream.open());
}

}  // namespace
}  // namespace kube::httpclient::internal
