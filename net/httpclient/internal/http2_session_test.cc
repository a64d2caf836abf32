// Tests the session against nghttp2 as the server.

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/internal/session.h"
#include "net/httpclient/testing/fake_http2_peer.h"
#include "net/httpclient/testing/fake_stream.h"
#include "net/httpclient/transport_error.h"

namespace kube::httpclient::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Optional;
using ::testing::Pair;

using Kind = TransportErrorKind;
using HeaderList = Http2Peer::HeaderList;

constexpr size_t kWindow = 128 << 10;
constexpr size_t kMaxHeaderBytes = 2000;

std::string Sent(Session& session) {
  std::string all;
  while (true) {
    const size_t before = all.size();
    session.Produce(all, before + (64 << 10));
    if (all.size() == before) return all;
  }
}

const HeaderList kOk = {{":status", "200"}};

class Http2SessionTest : public ::testing::Test {
 protected:
  // Exchanges bytes until both sides have no more. The session gets them in pieces of this size.
  void Talk(size_t piece = std::string::npos) {
    while (true) {
      const std::string out = Sent(*session_);
      if (!out.empty()) peer_.Receive(out);
      const std::string in = peer_.Produce();
      if (out.empty() && in.empty()) return;
      for (size_t i = 0; i < in.size(); i += std::min(piece, in.size())) {
        session_->Receive(absl::string_view(in).substr(i, piece));
      }
    }
  }
  // Exchanges the SETTINGS.
  void Meet() { Talk(); }
  void StartAll(const std::vector<FakeStream*>& streams) {
    for (FakeStream* stream : streams) session_->Start(*stream);
    Talk();
  }
  static HttpRequest Large(size_t size) {
    return {.method = "POST", .body = std::make_shared<std::string>(size, 'x')};
  }

  Http2Peer peer_;
  const std::unique_ptr<Session> session_ =
      MakeHttp2Session({.max_header_bytes = kMaxHeaderBytes, .window_bytes = kWindow});
};

// ---- Requests

TEST_F(Http2SessionTest, Requests) {
  const auto body = std::make_shared<const std::string>("body");
  FakeStream get({.headers = {{"Accept", "x"}, {"A", "1"}, {"A", "2"}}}, "/a?b");
  FakeStream put({.method = "PUT", .body = body});
  FakeStream empty({.method = "POST"});
  FakeStream framed({.method = "PATCH",
                     .headers = {{"Host", "other"},
                                 {"Content-Length", "77"},
                                 {"Transfer-Encoding", "chunked"},
                                 {"Connection", "keep-alive"},
                                 {"Keep-Alive", "1"},
                                 {"Upgrade", "x"},
                                 {"Proxy-Connection", "x"},
                                 {"Expect", "100-continue"}},
                     .body = body});
  session_->Start(get);
  EXPECT_FALSE(get.sent());
  StartAll({&put, &empty, &framed});
  EXPECT_TRUE(get.sent());
  auto& exchanges = peer_.exchanges();
  ASSERT_EQ(exchanges.size(), 4);
  for (const auto& [number, exchange] : exchanges) EXPECT_TRUE(exchange.complete) << number;
  EXPECT_THAT(
      exchanges[1].header,
      ElementsAre(Pair(":method", "GET"), Pair(":scheme", "http"), Pair(":authority", "host"),
                  Pair(":path", "/a?b"), Pair("accept", "x"), Pair("a", "1"), Pair("a", "2")));
  EXPECT_THAT(exchanges[3].header, ElementsAre(Pair(":method", "PUT"), Pair(":scheme", "http"),
                                               Pair(":authority", "host"), Pair(":path", "/"),
                                               Pair("content-length", "4")));
  EXPECT_EQ(exchanges[3].body, "body");
  EXPECT_THAT(exchanges[5].header, ElementsAre(Pair(":method", "POST"), Pair(":scheme", "http"),
                                               Pair(":authority", "host"), Pair(":path", "/"),
                                               Pair("content-length", "0")));
  EXPECT_THAT(exchanges[7].header, ElementsAre(Pair(":method", "PATCH"), Pair(":scheme", "http"),
                                               Pair(":authority", "other"), Pair(":path", "/"),
                                               Pair("content-length", "4")));
}

// Requests larger than the server's window continue after its WINDOW_UPDATEs.
TEST_F(Http2SessionTest, LargeRequests) {
  FakeStream one(Large(3'000'000));
  FakeStream two(Large(1'000'001));
  StartAll({&one, &two});
  EXPECT_EQ(peer_.exchanges()[1].body.size(), 3'000'000);
  EXPECT_EQ(peer_.exchanges()[3].body.size(), 1'000'001);
  EXPECT_TRUE(peer_.exchanges()[1].complete && peer_.exchanges()[3].complete);
}

// Produce returns about as much as it was asked for.
TEST_F(Http2SessionTest, ProducesNoMoreThanAsked) {
  Meet();
  FakeStream stream(Large(60'000));
  session_->Start(stream);
  size_t all = 0;
  while (true) {
    std::string out;
    session_->Produce(out, 1000);
    if (out.empty()) break;
    EXPECT_LE(out.size(), 1000 + (16 << 10) + 9);
    all += out.size();
    peer_.Receive(out);
  }
  EXPECT_GT(all, 60'000);
  EXPECT_TRUE(peer_.exchanges()[1].complete);
}

TEST_F(Http2SessionTest, Settings) {
  EXPECT_EQ(session_->http_version(), 2);
  EXPECT_EQ(session_->limit(), 0);
  Meet();
  EXPECT_EQ(session_->limit(), std::numeric_limits<int32_t>::max());
  const std::vector<std::pair<uint32_t, int>> limits = {
      {100, 100},
      {7, 7},
      {std::numeric_limits<uint32_t>::max(), std::numeric_limits<int32_t>::max()}};
  for (const auto& [said, limit] : limits) {
    peer_.Settings({{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, said}});
    Talk();
    EXPECT_EQ(session_->limit(), limit);
  }
  EXPECT_TRUE(session_->wants_input());
  EXPECT_FALSE(session_->draining());
  // The client's settings.
  const auto told = [&](nghttp2_settings_id id) {
    return nghttp2_session_get_remote_settings(peer_.session(), id);
  };
  EXPECT_EQ(told(NGHTTP2_SETTINGS_ENABLE_PUSH), 0);
  EXPECT_EQ(told(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE), kWindow);
  EXPECT_EQ(told(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE), kMaxHeaderBytes);
}

// A server may allow no streams at all.
TEST_F(Http2SessionTest, NoStreamsAtAll) {
  FakeStream running;
  Meet();
  StartAll({&running});
  peer_.Settings({{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, 0}});
  const std::string settings = peer_.Produce();
  FakeStream unsent, given_up;
  session_->Start(unsent);
  session_->Start(given_up);
  session_->Cancel(given_up);
  given_up.OnCancel();
  session_->Receive(settings);
  EXPECT_EQ(unsent.Told(), "lost unprocessed");
  EXPECT_TRUE(session_->draining());
  EXPECT_TRUE(running.open());
  Talk();
  peer_.Answer(1, kOk, "body");
  Talk();
  EXPECT_EQ(running.Told(), "200; body; ok");
  EXPECT_EQ(peer_.exchanges().size(), 1);
  EXPECT_FALSE(session_->failure().has_value());
}

// Streams started before the limit was known, and beyond it, go to another connection instead of
// waiting for others, which may be watches.
TEST_F(Http2SessionTest, FewerStreamsThanBegun) {
  FakeStream running;
  Meet();
  StartAll({&running});
  std::vector<std::unique_ptr<FakeStream>> streams;
  for (int i = 0; i < 4; ++i) {
    streams.push_back(std::make_unique<FakeStream>());
    session_->Start(*streams.back());
  }
  peer_.Settings({{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, 3}});
  session_->Receive(peer_.Produce());
  EXPECT_EQ(session_->limit(), 3);
  EXPECT_FALSE(session_->draining());
  EXPECT_TRUE(streams[0]->open());
  EXPECT_TRUE(streams[1]->open());
  EXPECT_EQ(streams[2]->Told(), "lost unprocessed");
  EXPECT_EQ(streams[3]->Told(), "lost unprocessed");
  Talk();
  EXPECT_EQ(peer_.exchanges().size(), 3);
  for (const int32_t number : {1, 3, 5}) peer_.Answer(number, kOk, "body");
  Talk();
  EXPECT_EQ(streams[1]->Told(), "200; body; ok");
}

// Streams beyond the limit wait until there is room.
TEST_F(Http2SessionTest, MoreThanTheLimit) {
  peer_.Settings({{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, 2}});
  Meet();
  std::vector<std::unique_ptr<FakeStream>> streams;
  for (int i = 0; i < 6; ++i) {
    streams.push_back(std::make_unique<FakeStream>());
    session_->Start(*streams.back());
  }
  Talk();
  EXPECT_EQ(peer_.exchanges().size(), 2);
  session_->Cancel(*streams[0]);
  streams[0]->OnCancel();
  session_->Cancel(*streams[5]);  // it was never sent
  streams[5]->OnCancel();
  for (int32_t number = 3; number <= 9; number += 2) {
    Talk();
    ASSERT_TRUE(peer_.exchanges().contains(number));
    peer_.Answer(number, kOk, "body");
  }
  Talk();
  for (int i = 1; i < 5; ++i) EXPECT_EQ(streams[i]->Told(), "200; body; ok");
  EXPECT_EQ(peer_.exchanges().size(), 5);
}

// ---- Responses

class Http2PiecesTest : public Http2SessionTest, public ::testing::WithParamInterface<size_t> {};

INSTANTIATE_TEST_SUITE_P(Pieces, Http2PiecesTest, ::testing::Values(1, 2, 3, 7, 10, 1000, 1 << 20),
                         ::testing::PrintToStringParamName());

TEST_P(Http2PiecesTest, Responses) {
  struct Row {
    std::string method;
    HeaderList header;
    std::string body;
    HeaderList trailers;
    std::string told;
  };
  const std::vector<Row> rows = {
      {"GET", kOk, "", {}, "200; ; ok"},
      {"GET",
       {{":status", "404"}, {"a", "1"}, {"a", "2"}, {"b", ""}},
       "no",
       {},
       "404 a=1 a=2 b=; no; ok"},
      {"GET",
       {{":status", "200"}, {"content-length", "4"}},
       "body",
       {},
       "200 content-length=4; body; ok"},
      {"HEAD", {{":status", "200"}, {"content-length", "4"}}, "", {}, "200 content-length=4; ; ok"},
      {"GET", {{":status", "304"}, {"content-length", "4"}}, "", {}, "304 content-length=4; ; ok"},
      {"GET", {{":status", "204"}}, "", {}, "204; ; ok"},
      {"GET", kOk, "body", {{"t", "u"}}, "200; body; ok"},
      {"GET", kOk, "", {{"t", "u"}}, "200; ; ok"},
      // What is no response.
      {"GET",
       {{":status", "200"}, {"content-length", "4"}},
       "five!",
       {},
       "200 content-length=4; five!; protocol"},
      {"GET", {{":status", "200"}, {"content-length", "4"}}, "", {}, "protocol"},
      {"GET", {{":status", "099"}}, "body", {}, "protocol"},
      {"GET", {{":status", "000"}}, "", {}, "protocol"},
      {"GET", {{":status", "2000"}}, "", {}, "protocol"},
      {"GET", {{":status", "101"}}, "body", {}, "protocol"},
      {"GET", {{"a", "b"}}, "body", {}, "protocol"},
      {"GET", {{":status", "200"}, {"connection", "close"}}, "body", {}, "protocol"},
  };
  int32_t number = -1;
  for (const Row& row : rows) {
    SCOPED_TRACE(row.told);
    FakeStream stream({.method = row.method});
    session_->Start(stream);
    Talk(GetParam());
    number += 2;
    ASSERT_TRUE(peer_.exchanges().contains(number));
    peer_.Inform(number, {{":status", "100"}});
    peer_.Inform(number, {{":status", "103"}, {"link", "x"}});
    peer_.Answer(number, row.header, row.body, true, row.trailers);
    Talk(GetParam());
    if (row.told.ends_with("protocol")) {
      // How much of the response is reported is unspecified.
      ASSERT_TRUE(stream.end().has_value());
      EXPECT_EQ(stream.end()->error, Kind::kProtocol);
      EXPECT_FALSE(stream.end()->unprocessed);
    } else {
      EXPECT_EQ(stream.Told(), row.told);
    }
    EXPECT_EQ(session_->failure(), std::nullopt) << session_->failure()->cause;
  }
  EXPECT_FALSE(session_->draining());
}

TEST_F(Http2SessionTest, HeadersThatAreTooLarge) {
  FakeStream large;
  FakeStream hinted;
  FakeStream trailed;
  FakeStream good;
  StartAll({&large, &hinted, &trailed, &good});
  HeaderList header = kOk;
  for (int i = 0; i < 80; ++i) header.emplace_back(absl::StrCat("x", i), "y");  // each is 36 or so
  peer_.Answer(1, header, "body");
  HeaderList hint = header;
  hint[0].second = "103";
  peer_.Inform(3, hint);
  peer_.Answer(3, kOk, "body");
  HeaderList trailers = header;
  trailers.erase(trailers.begin());
  peer_.Answer(5, kOk, "body", true, trailers);
  header.resize(40);
  peer_.Answer(7, header, "body");
  Talk();
  for (FakeStream* stream : {&large, &hinted}) {
    EXPECT_EQ(stream->Told(), "protocol");
    EXPECT_EQ(stream->end()->cause, "response headers too large");
  }
  EXPECT_EQ(trailed.Told(), "200; body; ok");  // they are not kept
  EXPECT_EQ(good.head().value_or(ResponseHead{}).headers.size(), 39);
  EXPECT_EQ(good.body(), "body");
  EXPECT_TRUE(good.end().has_value() && !good.end()->error.has_value());
  EXPECT_FALSE(session_->failure().has_value());
}

// A response is complete even if the request was not sent completely.
TEST_F(Http2SessionTest, ResponseBeforeTheEndOfTheRequest) {
  for (const bool reset : {false, true}) {
    FakeStream stream(Large(1'000'000));
    session_->Start(stream);
    peer_.Receive(Sent(*session_));  // as much as the window allows
    const int32_t number = reset ? 3 : 1;
    const size_t received = peer_.exchanges()[number].body.size();
    EXPECT_LT(received, 100'000);
    peer_.Answer(number, {{":status", "413"}}, "too much");
    if (reset) {
      session_->Receive(peer_.Produce());
      EXPECT_EQ(stream.Told(), "413; too much; ok");
      peer_.Reset(number, NGHTTP2_NO_ERROR);
    }
    session_->Receive(peer_.Produce());
    EXPECT_EQ(stream.Told(), "413; too much; ok");  // before anything else can be sent
    Talk();
    EXPECT_FALSE(peer_.exchanges()[number].complete);
    EXPECT_EQ(peer_.exchanges()[number].reset.value_or(NGHTTP2_NO_ERROR), NGHTTP2_NO_ERROR);
    EXPECT_FALSE(session_->failure().has_value());
  }
  FakeStream next;
  StartAll({&next});
  peer_.Answer(5, kOk, "");
  Talk();
  EXPECT_EQ(next.Told(), "200; ; ok");
}

// ---- Ends

TEST_F(Http2SessionTest, Resets) {
  struct Row {
    uint32_t code;
    bool begun;
    std::string told;
  };
  const std::vector<Row> rows = {
      {NGHTTP2_REFUSED_STREAM, false, "reset unprocessed"},
      {NGHTTP2_REFUSED_STREAM, true, "200; begun; reset"},  // too late to be refused
      {NGHTTP2_NO_ERROR, false, "reset"},
      {NGHTTP2_NO_ERROR, true, "200; begun; reset"},
      {NGHTTP2_CANCEL, true, "200; begun; reset"},
      {NGHTTP2_INTERNAL_ERROR, false, "reset"},
      {NGHTTP2_ENHANCE_YOUR_CALM, false, "reset"},
      {NGHTTP2_HTTP_1_1_REQUIRED, false, "reset"},
      {0xabcdef, true, "200; begun; reset"},
  };
  int32_t number = -1;
  for (const Row& row : rows) {
    SCOPED_TRACE(row.code);
    FakeStream stream;
    StartAll({&stream});
    number += 2;
    if (row.begun) peer_.Answer(number, kOk, "begun", false);
    Talk();
    peer_.Reset(number, row.code);
    Talk();
    EXPECT_EQ(stream.Told(), row.told);
    EXPECT_THAT(stream.end()->cause, HasSubstr("the server reset the stream: "));
  }
  EXPECT_FALSE(session_->draining());
  EXPECT_FALSE(session_->failure().has_value());
}

TEST_F(Http2SessionTest, GoAway) {
  std::vector<std::unique_ptr<FakeStream>> streams;
  for (int i = 0; i < 5; ++i) {
    streams.push_back(std::make_unique<FakeStream>());
    session_->Start(*streams.back());
  }
  Talk();
  peer_.GoAway(5);
  Talk();
  EXPECT_TRUE(session_->draining());
  EXPECT_FALSE(session_->failure().has_value());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(streams[i]->Told(), "...");
  for (int i = 3; i < 5; ++i) EXPECT_EQ(streams[i]->Told(), "lost unprocessed");
  // A stream started after GOAWAY.
  FakeStream late;
  StartAll({&late});
  EXPECT_EQ(late.Told(), "lost unprocessed");
  EXPECT_FALSE(late.sent());
  // A second GOAWAY with a lower number.
  peer_.Answer(1, kOk, "body");
  peer_.GoAway(3);
  Talk();
  EXPECT_EQ(streams[0]->Told(), "200; body; ok");
  EXPECT_EQ(streams[1]->Told(), "...");
  EXPECT_EQ(streams[2]->Told(), "lost unprocessed");
  peer_.Answer(3, kOk, "body");
  Talk();
  EXPECT_EQ(streams[1]->Told(), "200; body; ok");
  EXPECT_FALSE(session_->failure().has_value());
}

// A server that has begun to answer has processed the request, whatever GOAWAY says.
TEST_F(Http2SessionTest, GoAwayAfterTheAnswerHasBegun) {
  FakeStream begun;
  FakeStream other;
  StartAll({&begun, &other});
  peer_.Answer(1, kOk, "begun", false);
  Talk();
  peer_.GoAway(0);
  Talk();
  EXPECT_EQ(begun.Told(), "200; begun; lost");
  EXPECT_EQ(other.Told(), "lost unprocessed");
}

// Go's servers first send GOAWAY with the highest possible number.
TEST_F(Http2SessionTest, GoAwayWithoutANumber) {
  FakeStream sent;
  StartAll({&sent});
  peer_.GoAway(std::numeric_limits<int32_t>::max());
  FakeStream waiting;
  session_->Start(waiting);
  session_->Receive(peer_.Produce());
  Talk();
  EXPECT_EQ(waiting.Told(), "lost unprocessed");
  EXPECT_FALSE(waiting.sent());
  EXPECT_EQ(sent.Told(), "...");
  peer_.Answer(1, kOk, "body");
  Talk();
  EXPECT_EQ(sent.Told(), "200; body; ok");
  EXPECT_FALSE(session_->failure().has_value());
}

// GOAWAY arrives while the only request is not sent yet.
TEST_F(Http2SessionTest, GoAwayBeforeTheFirstRequest) {
  Meet();
  FakeStream stream;
  session_->Start(stream);
  peer_.GoAway(0);
  session_->Receive(peer_.Produce());
  EXPECT_FALSE(session_->failure().has_value());
  Talk();
  EXPECT_EQ(stream.Told(), "lost unprocessed");
  EXPECT_TRUE(session_->draining());
  EXPECT_FALSE(session_->failure().has_value());
}

TEST_F(Http2SessionTest, EndOfInput) {
  FakeStream one;
  FakeStream two;
  StartAll({&one, &two});
  peer_.Answer(1, kOk, "begun", false);
  Talk();
  session_->EndOfInput();
  EXPECT_THAT(session_->failure(), Optional(Field(&StreamEnd::error, Kind::kEof)));
  EXPECT_FALSE(session_->failure()->unprocessed);
  // The session's user ends the streams.
  EXPECT_TRUE(one.open() && two.open());
  session_->Cancel(one);
  one.OnCancel();
  session_->Receive("nonsense");
  EXPECT_THAT(session_->failure(), Optional(Field(&StreamEnd::error, Kind::kEof)));
}

std::string Frame(uint8_t type, uint8_t flags, uint32_t number, const std::string& payload) {
  std::string frame;
  for (const int shift : {16, 8, 0}) frame += static_cast<char>(payload.size() >> shift);
  frame += static_cast<char>(type);
  frame += static_cast<char>(flags);
  for (const int shift : {24, 16, 8, 0}) frame += static_cast<char>(number >> shift);
  return frame + payload;
}

TEST_F(Http2SessionTest, BrokenRules) {
  using std::string_literals::operator""s;
  const std::string settings = Frame(NGHTTP2_SETTINGS, 0, 0, "");
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"http1", "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"},
      {"tls", "\x15\x03\x01\x00\x02\x02\x28 and so on and so on"s},
      {"nulls", std::string(100, '\0')},
      {"no settings first", Frame(NGHTTP2_PING, 0, 0, "12345678")},
      {"settings of a stream", Frame(NGHTTP2_SETTINGS, 0, 1, "")},
      {"odd settings", Frame(NGHTTP2_SETTINGS, 0, 0, "abc")},
      {"bad setting", Frame(NGHTTP2_SETTINGS, 0, 0, "\0\4\xff\xff\xff\xff"s)},
      {"short ping", settings + Frame(NGHTTP2_PING, 0, 0, "1234")},
      {"huge frame", settings + Frame(NGHTTP2_DATA, 0, 1, std::string(20'000, 'x'))},
      {"data for nobody", settings + Frame(NGHTTP2_DATA, 0, 99, "data")},
      {"header for nobody", settings + Frame(NGHTTP2_HEADERS, 4, 99, "\x88")},
      {"bad header block", settings + Frame(NGHTTP2_HEADERS, 4, 1, "\xff\xff\xff\xff\xff\xff")},
      {"continuation of nothing", settings + Frame(NGHTTP2_CONTINUATION, 4, 1, "\x88")},
      {"interrupted header",
       settings + Frame(NGHTTP2_HEADERS, 0, 1, "\x88") + Frame(NGHTTP2_PING, 0, 0, "12345678")},
      {"push", settings + Frame(NGHTTP2_SETTINGS, NGHTTP2_FLAG_ACK, 0, "") +
                   Frame(NGHTTP2_PUSH_PROMISE, 4, 1, "\0\0\0\2\x82\x87\x84\x41\1a"s)},
      {"window of nothing", settings + Frame(NGHTTP2_WINDOW_UPDATE, 0, 0, "\0\0\0\0"s)},
      {"too large a window", settings + Frame(NGHTTP2_WINDOW_UPDATE, 0, 0, "\x7f\xff\xff\xff"s)},
      {"reset of nothing", settings + Frame(NGHTTP2_RST_STREAM, 0, 99, "\0\0\0\0"s)},
  };
  for (const auto& [name, bytes] : rows) {
    for (const size_t piece : {bytes.size(), size_t{1}}) {
      SCOPED_TRACE(absl::StrCat(name, " ", piece));
      const auto session =
          MakeHttp2Session({.max_header_bytes = kMaxHeaderBytes, .window_bytes = kWindow});
      FakeStream stream;
      session->Start(stream);
      Sent(*session);
      for (size_t i = 0; i < bytes.size(); i += piece) session->Receive(bytes.substr(i, piece));
      // The server gets an error, too.
      const std::string out = Sent(*session);
      ASSERT_THAT(session->failure(), Optional(Field(&StreamEnd::error, Kind::kProtocol)));
      EXPECT_FALSE(session->failure()->unprocessed);
      session->Receive(settings);
      session->EndOfInput();
      EXPECT_EQ(Sent(*session), "");
      EXPECT_EQ(session->failure()->error, Kind::kProtocol);
      if (stream.open()) session->Cancel(stream);
    }
  }
}

// behaviour.md: TR-2
TEST_F(Http2SessionTest, Pings) {
  Meet();
  nghttp2_submit_ping(peer_.session(), NGHTTP2_FLAG_NONE, nullptr);
  Talk();
  EXPECT_EQ(peer_.pongs(), 1);
  session_->Ping();
  session_->Ping();
  Talk();
  EXPECT_EQ(peer_.pings(), 2);
  EXPECT_FALSE(session_->failure().has_value());
}

// ---- Giving up

TEST_F(Http2SessionTest, Cancel) {
  Meet();
  FakeStream unsent(Large(100));
  session_->Start(unsent);
  session_->Cancel(unsent);
  unsent.OnCancel();
  Talk();
  EXPECT_FALSE(unsent.sent());
  EXPECT_TRUE(peer_.exchanges().empty());

  auto half_sent = std::make_unique<FakeStream>(Large(1'000'000));
  session_->Start(*half_sent);
  std::string out;
  session_->Produce(out, 20'000);
  peer_.Receive(out);
  session_->Cancel(*half_sent);
  half_sent->OnCancel();
  half_sent.reset();  // must not be used any longer
  Talk();
  ASSERT_EQ(peer_.exchanges().size(), 1);
  const int32_t number = peer_.exchanges().begin()->first;
  EXPECT_THAT(peer_.exchanges()[number].reset, Optional(uint32_t{NGHTTP2_CANCEL}));
  EXPECT_LT(peer_.exchanges()[number].body.size(), 100'000);

  FakeStream sent;
  FakeStream begun;
  StartAll({&sent, &begun});
  const int32_t begun_number = peer_.exchanges().rbegin()->first;
  peer_.Answer(begun_number, kOk, "begun", false);
  Talk();
  EXPECT_EQ(begun.Told(), "200; begun...");
  // The answers arrive at the same time.
  peer_.Answer(begun_number - 2, kOk, "body");
  peer_.More(begun_number, "more", true);
  for (FakeStream* stream : {&sent, &begun}) {
    session_->Cancel(*stream);
    stream->OnCancel();
  }
  Talk();
  EXPECT_EQ(begun.Told(), "200; begun...");
  session_->Cancel(begun);  // no effect
  session_->Resume(begun);
  EXPECT_FALSE(session_->failure().has_value());
  FakeStream next;
  StartAll({&next});
  peer_.Answer(peer_.exchanges().rbegin()->first, kOk, "");
  Talk();
  EXPECT_EQ(next.Told(), "200; ; ok");
}

// ---- Flow control

TEST_F(Http2SessionTest, WindowOfASlowReader) {
  const std::string text(1'000'000, 'y');
  FakeStream slow;
  FakeStream fast;
  slow.reluctant = true;
  StartAll({&slow, &fast});
  peer_.Answer(1, kOk, text);
  peer_.Answer(3, kOk, text);
  Talk();
  // The slow reader gets only a window; the other stream gets everything.
  EXPECT_EQ(slow.body().size(), kWindow);
  EXPECT_EQ(fast.body().size(), text.size());
  EXPECT_TRUE(fast.end().has_value());
  EXPECT_TRUE(session_->wants_input());
  // The reader is still slow and gets a window at a time.
  for (size_t i = 2; i < 5; ++i) {
    session_->Resume(slow);
    Talk();
    EXPECT_EQ(slow.body().size(), i * kWindow);
  }
  slow.reluctant = false;
  session_->Resume(slow);
  Talk();
  EXPECT_EQ(slow.body().size(), text.size());
  EXPECT_EQ(slow.Told(), absl::StrCat("200; ", text, "; ok"));
}

// Many slow readers do not delay other streams.
TEST_F(Http2SessionTest, WindowOfTheConnection) {
  Meet();
  std::vector<std::unique_ptr<FakeStream>> slow;
  const std::string text(2 * kWindow, 'y');
  for (int i = 0; i < 200; ++i) {
    slow.push_back(std::make_unique<FakeStream>());
    slow.back()->reluctant = true;
    session_->Start(*slow.back());
    Talk();
    peer_.Answer(2 * i + 1, kOk, text);
    Talk();
    ASSERT_EQ(slow.back()->body().size(), kWindow);
  }
  FakeStream fast;
  StartAll({&fast});
  peer_.Answer(401, kOk, text);
  Talk();
  EXPECT_EQ(fast.body().size(), text.size());
}

// Data of cancelled streams is returned to the connection's window.
TEST_F(Http2SessionTest, WindowAfterManyWereGivenUp) {
  // Each stream has a lot of data, since servers, also nghttp2, limit the number of resets.
  constexpr int kStreams = 450;
  constexpr size_t kLargeWindow = 1'300'000;
  const auto session =
      MakeHttp2Session({.max_header_bytes = kMaxHeaderBytes, .window_bytes = kLargeWindow});
  const std::string text(kLargeWindow - 10'000, 'y');
  const auto talk = [&] {
    while (true) {
      const std::string out = Sent(*session);
      peer_.Receive(out);
      const std::string in = peer_.Produce();
      if (!in.empty()) session->Receive(in);
      if (out.empty() && in.empty()) return;
    }
  };
  talk();
  uint64_t received = 0;
  for (int i = 0; i < kStreams; ++i) {
    FakeStream stream;
    session->Start(stream);
    const int32_t number = 2 * i + 1;
    peer_.Receive(Sent(*session));
    peer_.Answer(number, kOk, text, false);
    const std::string bytes = peer_.Produce();
    ASSERT_GT(bytes.size(), text.size()) << i;
    received += bytes.size();
    // Cancel before, within or after the data.
    const size_t before = i % 3 * (bytes.size() / 2);
    stream.reluctant = i % 2 == 0;
    if (before > 0) session->Receive(absl::string_view(bytes).substr(0, before));
    session->Cancel(stream);
    stream.OnCancel();
    if (i % 5 == 0) peer_.Receive(Sent(*session));  // the server gets the reset now or later
    session->Receive(absl::string_view(bytes).substr(before));
    talk();
    peer_.exchanges().erase(number);
  }
  // More than half of the window was used and therefore returned.
  EXPECT_GT(received, (1 << 29) + (1 << 24));
  EXPECT_GT(nghttp2_session_get_remote_window_size(peer_.session()), 3 << 28);
  EXPECT_FALSE(session->failure().has_value());
  FakeStream last;
  session->Start(last);
  talk();
  peer_.Answer(2 * kStreams + 1, kOk, text);
  talk();
  EXPECT_EQ(last.body().size(), text.size());
}

}  // namespace
}  // namespace kube::httpclient::internal
