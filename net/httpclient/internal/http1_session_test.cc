#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/internal/session.h"
#include "net/httpclient/testing/fake_stream.h"
#include "net/httpclient/testing/http1_session_fixture.h"
#include "net/httpclient/transport_error.h"

namespace kube::httpclient::internal {
namespace {

using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Optional;
using Kind = TransportErrorKind;

// ---- Requests

std::string Bytes(HttpRequest request, PlainProxy proxy = {}, const std::string& target = "/a?b") {
  const auto session = MakeSession(std::move(proxy));
  FakeStream stream(std::move(request), target);
  session->Start(stream);
  EXPECT_FALSE(stream.sent());
  std::string out = Sent(*session);
  EXPECT_TRUE(stream.sent());
  EXPECT_EQ(Sent(*session), "");
  return out;
}

TEST(Http1SessionTest, Requests) {
  const auto body = std::make_shared<const std::string>("body");
  EXPECT_EQ(Bytes({}), "GET /a?b HTTP/1.1\r\nhost: host\r\n\r\n");
  EXPECT_EQ(Bytes({.method = "DELETE", .headers = {{"Accept", "x"}, {"A", "1"}, {"A", "2"}}}),
            "DELETE /a?b HTTP/1.1\r\nhost: host\r\naccept: x\r\na: 1\r\na: 2\r\n\r\n");
  EXPECT_EQ(Bytes({.method = "PUT", .body = body}),
            "PUT /a?b HTTP/1.1\r\nhost: host\r\ncontent-length: 4\r\n\r\nbody");
  EXPECT_EQ(Bytes({.method = "DELETE", .body = body}),
            "DELETE /a?b HTTP/1.1\r\nhost: host\r\ncontent-length: 4\r\n\r\nbody");
  for (const absl::string_view method : {"POST", "PUT", "PATCH"}) {
    EXPECT_EQ(Bytes({.method = std::string(method)}),
              absl::StrCat(method, " /a?b HTTP/1.1\r\nhost: host\r\ncontent-length: 0\r\n\r\n"));
  }
  // The caller cannot set the framing headers, but can set the host.
  EXPECT_EQ(Bytes({.method = "POST",
                   .headers = {{"Host", "other"},
                               {"Content-Length", "77"},
                               {"Transfer-Encoding", "chunked"},
                               {"Expect", "100-continue"},
                               {"Connection", "close"}},
                   .body = body}),
            "POST /a?b HTTP/1.1\r\nhost: other\r\ncontent-length: 4\r\n\r\nbody");
}

TEST(Http1SessionTest, RequestsForAnotherProtocolNameIt) {
  EXPECT_EQ(Bytes({.headers = {{"Connection", "Upgrade"},
                               {"Upgrade", "websocket"},
                               {"Content-Length", "77"},
                               {"Expect", "100-continue"}},
                   .upgrade = true}),
            "GET /a?b HTTP/1.1\r\nhost: host\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n");
  EXPECT_EQ(Bytes({.method = "POST",
                   .headers = {{"Connection", "Upgrade"}, {"Upgrade", "SPDY/3.1"}},
                   .upgrade = true}),
            "POST /a?b HTTP/1.1\r\nhost: host\r\nconnection: Upgrade\r\nupgrade: SPDY/3.1\r\n"
            "content-length: 0\r\n\r\n");
}

TEST(Http1SessionTest, RequestsOfAProxy) {
  EXPECT_EQ(Bytes({}, {.used = true}), "GET http://host/a?b HTTP/1.1\r\nhost: host\r\n\r\n");
  EXPECT_EQ(Bytes({}, {.used = true, .authorization = "Basic eDp5"}),
            "GET http://host/a?b HTTP/1.1\r\nhost: host\r\n"
            "Proxy-Authorization: Basic eDp5\r\n\r\n");
}

// Produce keeps its limit, except that the header is not split.
TEST(Http1SessionTest, LargeRequestsGoInPieces) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) absl::StrAppend(&text, i, ",");
  const HttpRequest request = {.method = "POST", .body = std::make_shared<std::string>(text)};
  const std::string whole = Bytes(request, {}, "/");
  for (const size_t limit : {size_t{1}, size_t{1000}, size_t{65'536}, text.size(), kAll}) {
    const auto session = MakeSession();
    FakeStream stream(request);
    session->Start(stream);
    std::string all = Sent(*session, limit);
    const size_t header = whole.size() - text.size();
    EXPECT_EQ(all.size(), std::min(whole.size(), std::max(limit, header)));
    while (true) {
      const std::string piece = Sent(*session, limit);
      if (piece.empty()) break;
      EXPECT_LE(piece.size(), limit);
      all += piece;
    }
    EXPECT_TRUE(all == whole) << limit;
  }
  // Bytes that `out` already has count.
  const auto session = MakeSession();
  FakeStream stream(request);
  session->Start(stream);
  std::string out(1000, 'x');
  session->Produce(out, 1100);
  EXPECT_EQ(out.size(), 1100);
  session->Produce(out, 1100);
  EXPECT_EQ(out.size(), 1100);
}

// ---- Responses

struct Case {
  std::string name;
  std::string bytes;
  std::string told;
  // Whether the connection can be reused.
  bool kept = true;
  std::string method = "GET";
  // From this position on the end of the connection is the end of the response.
  size_t ends_from = std::string::npos;
};

class ResponseTest : public ::testing::TestWithParam<Case> {
 protected:
  // Returns what the session reports for the bytes in these pieces.
  static std::string Outcome(const std::vector<absl::string_view>& pieces, bool eof) {
    const auto session = MakeSession();
    FakeStream stream({.method = GetParam().method});
    session->Start(stream);
    Sent(*session);
    for (const absl::string_view piece : pieces) {
      EXPECT_TRUE(session->wants_input());
      if (!piece.empty()) session->Receive(piece);
    }
    if (!eof) {
      EXPECT_FALSE(session->failure().has_value());
      return absl::StrCat(stream.Told(), session->draining() ? "; closed" : "; kept");
    }
    session->EndOfInput();
    EXPECT_THAT(session->failure(), Optional(Field(&StreamEnd::error, Kind::kEof)));
    return stream.Told();
  }
};

std::vector<Case> Responses() {
  const std::string ok(kOk);
  const std::string until_end = ok + "A: b\r\n\r\n";
  const std::string old = "HTTP/1.0 200 OK\r\n";
  const std::string offer_until_end = ok + "Upgrade: h2c\r\nConnection: Upgrade\r\n\r\n";
  return {
      {"Length", ok + "Content-Length: 4\r\n\r\nbody", "200 content-length=4; body; ok"},
      {"NoLength", ok + "Content-Length: 0\r\n\r\n", "200 content-length=0; ; ok"},
      {"Headers", ok + "A:  b \r\na: c\r\nEmpty:\r\nB: d\te\r\nContent-Length: 0\r\n\r\n",
       "200 a=b a=c empty= b=d\te content-length=0; ; ok"},
      {"Chunks",
       ok + "Transfer-Encoding: chunked\r\n\r\n3\r\none\r\n8;x=\"y\"\r\nand \r\ntw\r\n0\r\n\r\n",
       "200 transfer-encoding=chunked; oneand \r\ntw; ok"},
      {"NoChunks", ok + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
       "200 transfer-encoding=chunked; ; ok"},
      {"Trailers",
       ok + "Transfer-Encoding: chunked\r\n\r\n3\r\none\r\n0\r\nT: u\r\nEmpty:\r\nV: w\r\n\r\n",
       "200 transfer-encoding=chunked; one; ok"},
      {"UntilTheEnd", until_end + "body", "200 a=b; body...", false, "GET", until_end.size()},
      {"Head", ok + "Content-Length: 4\r\n\r\n", "200 content-length=4; ; ok", true, "HEAD"},
      {"HeadOfChunks", ok + "Transfer-Encoding: chunked\r\n\r\n",
       "200 transfer-encoding=chunked; ; ok", true, "HEAD"},
      {"HeadOfNothing", ok + "A: b\r\n\r\n", "200 a=b; ; ok", true, "HEAD"},
      {"NoContent", "HTTP/1.1 204 No Content\r\nA: b\r\n\r\n", "204 a=b; ; ok"},
      {"NoContentWithLength", "HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\n",
       "204 content-length=4; ; ok"},
      {"NotModified", "HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n", "304 etag=x; ; ok"},
      {"NotModifiedWithLength", "HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n\r\n",
       "304 content-length=4; ; ok"},
      {"NotModifiedOfChunks", "HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n",
       "304 transfer-encoding=chunked; ; ok"},
      {"Informed",
       "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + ok +
           "Content-Length: 4\r\n\r\nbody",
       "200 content-length=4; body; ok"},
      // A 1xx response has no body, whatever its header says.
      {"InformedWithLength",
       "HTTP/1.1 103 Hints\r\nContent-Length: 9\r\n\r\n" + ok + "Content-Length: 4\r\n\r\nbody",
       "200 content-length=4; body; ok"},
      // As in Go, only the final response decides whether the connection is kept.
      {"InformedAndClosed",
       "HTTP/1.1 100 Continue\r\nConnection: close\r\n\r\n" + ok + "Content-Length: 4\r\n\r\nbody",
       "200 content-length=4; body; ok"},
      {"InformedByAnOldOne", "HTTP/1.0 100 Continue\r\n\r\n" + ok + "Content-Length: 4\r\n\r\nbody",
       "200 content-length=4; body; ok"},
      // Apache offers an upgrade in every response.
      {"Offer", ok + "Upgrade: h2c\r\nConnection: Upgrade\r\nContent-Length: 0\r\n\r\n",
       "200 upgrade=h2c connection=Upgrade content-length=0; ; ok"},
      {"OfferWithBody", ok + "Upgrade: h2c\r\nConnection: Upgrade\r\nContent-Length: 4\r\n\r\nbody",
       "200 upgrade=h2c connection=Upgrade content-length=4; body; ok"},
      {"OfferWithoutContent", "HTTP/1.1 204 N\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
       "204 upgrade=h2c connection=Upgrade; ; ok"},
      {"OfferToHead", ok + "Upgrade: h2c\r\nConnection: Upgrade\r\nContent-Length: 4\r\n\r\n",
       "200 upgrade=h2c connection=Upgrade content-length=4; ; ok", true, "HEAD"},
      {"OfferUntilTheEnd", offer_until_end + "body", "200 upgrade=h2c connection=Upgrade; body...",
       false, "GET", offer_until_end.size()},
      {"NoReason", "HTTP/1.1 404\r\nContent-Length: 2\r\n\r\nno", "404 content-length=2; no; ok"},
      {"Close", ok + "Connection: close\r\nContent-Length: 4\r\n\r\nbody",
       "200 connection=close content-length=4; body; ok", false},
      {"Old", old + "Content-Length: 4\r\n\r\nbody", "200 content-length=4; body; ok", false},
      {"OldKept", old + "Connection: keep-alive\r\nContent-Length: 4\r\n\r\nbody",
       "200 connection=keep-alive content-length=4; body; ok"},
      {"OldUntilTheEnd", old + "\r\nbody", "200; body...", false, "GET", old.size() + 2},
  };
}

INSTANTIATE_TEST_SUITE_P(Responses, ResponseTest, ::testing::ValuesIn(Responses()),
                         [](const auto& test) { return test.param.name; });

// The result does not depend on how the bytes are split.
TEST_P(ResponseTest, InPieces) {
  const Case& test = GetParam();
  const absl::string_view bytes = test.bytes;
  const bool open = test.ends_from != std::string::npos;
  // Whether the connection is kept is known at the end.
  const std::string expected = absl::StrCat(test.told, test.kept || open ? "; kept" : "; closed");
  EXPECT_EQ(Outcome({bytes}, false), expected);
  std::vector<absl::string_view> single;
  for (size_t i = 0; i < bytes.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(Outcome({bytes.substr(0, i), bytes.substr(i)}, false), expected);
    single.push_back(bytes.substr(i, 1));
  }
  EXPECT_EQ(Outcome(single, false), expected);
}

// The input may end anywhere. A response is complete only if its framing says so.
TEST_P(ResponseTest, EndOfInput) {
  const Case& test = GetParam();
  const absl::string_view bytes = test.bytes;
  for (size_t i = 0; i <= bytes.size(); ++i) {
    SCOPED_TRACE(i);
    const std::string told = Outcome({bytes.substr(0, i)}, true);
    if (i == bytes.size() || i >= test.ends_from) {
      EXPECT_THAT(told, ::testing::EndsWith("; ok"));
    } else {
      EXPECT_THAT(told, ::testing::EndsWith("..."));
    }
  }
}

// ---- One after the other

TEST_F(Http1ConnectionTest, KeepsGoing) {
  EXPECT_EQ(session_->limit(), 1);
  EXPECT_EQ(session_->http_version(), 1);
  const std::vector<Case> responses = Responses();
  for (int round = 0; round < 3; ++round) {
    for (const Case& test : responses) {
      if (!test.kept) continue;
      SCOPED_TRACE(test.name);
      FakeStream stream({.method = test.method});
      Start(stream);
      session_->Receive(test.bytes);
      EXPECT_EQ(stream.Told(), test.told);
      EXPECT_FALSE(session_->draining());
    }
  }
  session_->EndOfInput();
  EXPECT_EQ(FailureKind(), Kind::kEof);
  EXPECT_TRUE(session_->draining());
}

// The connection is not reused, because the rest of the request would have to be sent.
TEST_F(Http1ConnectionTest, ResponseBeforeTheEndOfTheRequest) {
  FakeStream stream({.method = "POST", .body = std::make_shared<std::string>(100'000, 'x')});
  session_->Start(stream);
  Sent(*session_, 1000);
  session_->Receive(absl::StrCat(kOk, "Content-Length: 4\r\n\r\nbody"));
  EXPECT_EQ(stream.Told(), "200 content-length=4; body; ok");
  EXPECT_TRUE(session_->draining());
  EXPECT_EQ(Sent(*session_), "");
}

// A header that arrives early does not end the request.
TEST_F(Http1ConnectionTest, HeaderBeforeTheEndOfTheRequest) {
  FakeStream stream({.method = "POST", .body = std::make_shared<std::string>(100'000, 'x')});
  session_->Start(stream);
  Sent(*session_, 1000);
  session_->Receive(absl::StrCat(kOk, "Content-Length: 4\r\n\r\n"));
  EXPECT_GT(Sent(*session_).size(), 99'000);
  session_->Receive("body");
  EXPECT_EQ(stream.Told(), "200 content-length=4; body; ok");
  EXPECT_FALSE(session_->draining());
}

TEST_F(Http1ConnectionTest, MoreThanTheResponse) {
  for (const Case& test : Responses()) {
    if (test.ends_from != std::string::npos) continue;
    for (const std::string& more : {std::string("x"), std::string("\n"), test.bytes}) {
      SCOPED_TRACE(absl::StrCat(test.name, " ", more));
      const auto session = MakeSession();
      FakeStream stream({.method = test.method});
      session->Start(stream);
      Sent(*session);
      session->Receive(absl::StrCat(test.bytes, more));
      EXPECT_EQ(stream.Told(), test.told);
      EXPECT_TRUE(session->draining());
    }
  }
}

TEST_F(Http1ConnectionTest, ResponseToNobody) {
  session_->Receive(absl::StrCat(kOk, "Content-Length: 0\r\n\r\n"));
  EXPECT_EQ(FailureKind(), Kind::kProtocol);
  EXPECT_TRUE(session_->draining());
}

// A response before the request was sent answers something else.
TEST_F(Http1ConnectionTest, ResponseBeforeTheRequest) {
  FakeStream stream;
  session_->Start(stream);
  session_->Receive("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(FailureKind(), Kind::kProtocol);
  EXPECT_EQ(stream.Told(), "...");
  EXPECT_FALSE(stream.sent());
  EXPECT_EQ(Sent(*session_), "");
}

TEST_F(Http1ConnectionTest, NoResponses) {
  struct Row {
    std::string name;
    std::string bytes;
    std::string cause = "malformed HTTP response";
  };
  const std::string ok(kOk);
  const std::string informed = "HTTP/1.1 103 Hints\r\nLink: x\r\n\r\n";
  for (const Row& row : std::vector<Row>{
           {"garbage", "what?\r\n\r\n"},
           {"http2", std::string("\0\0\6\4\0\0\0\0\0", 9)},
           {"tls", "\x15\x03\x01"},
           {"request", "GET / HTTP/1.1\r\n\r\n"},
           {"version", "HTTP/2.0 200 OK\r\n\r\n", ""},
           {"old version", "HTTP/0.9 200 OK\r\n\r\n", ""},
           {"no number", "HTTP/1.1 OK\r\n\r\n"},
           {"no status", "HTTP/1.1 099 What\r\n\r\nbody", "status"},
           {"no status at all", "HTTP/1.1 000 What\r\nContent-Length: 4\r\n\r\nbody", "status"},
           {"header name", ok + "a b: c\r\n\r\n", ""},
           {"header value", ok + "a: b\x01\r\n\r\n", ""},
           {"header without name", ok + ": b\r\n\r\n", ""},
           {"length", ok + "Content-Length: x\r\n\r\n"},
           {"negative length", ok + "Content-Length: -1\r\n\r\n"},
           {"huge length", ok + "Content-Length: 99999999999999999999\r\n\r\n"},
           {"two lengths", ok + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab"},
           {"length and chunks", ok + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"},
           {"chunk", ok + "Transfer-Encoding: chunked\r\n\r\nx\r\n\r\n"},
           {"protocol",
            "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: "
            "websocket\r\n\r\n",
            "101 Switching Protocols"},
           {"protocol of a kind", "HTTP/1.1 101 Switching Protocols\r\n\r\n",
            "101 Switching Protocols"},
           {"long header", ok + "a: " + std::string(kMaxHeaderBytes, 'x'), "too large"},
           {"long name", ok + std::string(kMaxHeaderBytes + 1, 'x'), "too large"},
           {"many headers",
            [&] {
              std::string many = ok;
              for (int i = 0; i < 500; ++i) absl::StrAppend(&many, "x", i, ":y\r\n");
              return many;
            }(),
            "too large"},
           {"long hint", "HTTP/1.1 103 H\r\na: " + std::string(kMaxHeaderBytes, 'x'), "too large"},
           {"long trailer",
            ok + "Transfer-Encoding: chunked\r\n\r\n0\r\na: " + std::string(kMaxHeaderBytes, 'x'),
            "too large"}}) {
    for (const std::string& before : {std::string(), informed}) {
      for (const size_t piece : {row.bytes.size() + before.size(), size_t{1}}) {
        SCOPED_TRACE(absl::StrCat(row.name, " ", before.size(), " ", piece));
        const auto session = MakeSession();
        FakeStream stream;
        session->Start(stream);
        Sent(*session);
        const std::string bytes = before + row.bytes;
        for (size_t i = 0; i < bytes.size(); i += piece) session->Receive(bytes.substr(i, piece));
        EXPECT_THAT(session->failure(),
                    Optional(::testing::AllOf(Field(&StreamEnd::error, Kind::kProtocol),
                                              Field(&StreamEnd::cause, HasSubstr(row.cause)))));
        EXPECT_TRUE(session->draining());
        EXPECT_TRUE(stream.open());  // the session's user ends it
        // The failure is final.
        session->Receive(absl::StrCat(kOk, "Content-Length: 0\r\n\r\n"));
        session->EndOfInput();
        EXPECT_THAT(session->failure(), Optional(Field(&StreamEnd::error, Kind::kProtocol)));
        EXPECT_TRUE(stream.open());
      }
    }
  }
}

// A header just below the limit, which counts each response separately.
TEST_F(Http1ConnectionTest, LongHeaders) {
  const std::string value(kMaxHeaderBytes - 20, 'x');
  for (int i = 0; i < 3; ++i) {
    FakeStream stream;
    Start(stream);
    session_->Receive(absl::StrCat("HTTP/1.1 103 H\r\na: ", value, "\r\n\r\n"));
    session_->Receive(absl::StrCat("HTTP/1.1 204 N\r\na: ", value, "\r\n\r\n"));
    EXPECT_EQ(stream.Told(), absl::StrCat("204 a=", value, "; ; ok"));
  }
}

TEST_F(Http1ConnectionTest, InterimResponsesWithoutEnd) {
  FakeStream stream;
  Start(stream);
  for (int i = 0; i < 1000 && !session_->failure().has_value(); ++i) {
    session_->Receive("HTTP/1.1 103 H\r\n\r\n");
  }
  EXPECT_EQ(FailureKind(), Kind::kProtocol);
}

TEST_F(Http1ConnectionTest, ReadersMayBeBehind) {
  FakeStream stream;
  Start(stream);
  EXPECT_TRUE(session_->wants_input());
  session_->Receive(absl::StrCat(kOk, "Content-Length: 6\r\n\r\nab"));
  EXPECT_TRUE(session_->wants_input());
  stream.reluctant = true;
  session_->Receive("cd");
  EXPECT_FALSE(session_->wants_input());
  stream.reluctant = false;
  session_->Resume(stream);
  EXPECT_TRUE(session_->wants_input());
  stream.reluctant = true;
  session_->Receive("ef");
  EXPECT_EQ(stream.Told(), "200 content-length=6; abcdef; ok");
  // Further input does not belong to the stream that was behind.
  EXPECT_TRUE(session_->wants_input());
  EXPECT_FALSE(session_->draining());
}

// An answer other than 101 is an ordinary response, but ends the connection.
TEST_F(Http1ConnectionTest, RefusedUpgrades) {
  for (const Case& test : Responses()) {
    if (test.method != "GET" || test.ends_from != std::string::npos) continue;
    SCOPED_TRACE(test.name);
    const auto session = MakeSession();
    FakeStream stream(Upgrade());
    session->Start(stream);
    Sent(*session);
    session->Receive(test.bytes);
    EXPECT_EQ(stream.Told(), test.told);
    EXPECT_TRUE(session->draining());
  }
}

TEST_F(Http1ConnectionTest, Cancel) {
  for (const absl::string_view received : {"", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\n\r\nabc"}) {
    for (const bool sent : {false, true}) {
      if (!sent && !received.empty()) continue;
      const auto session = MakeSession();
      FakeStream stream({.body = std::make_shared<std::string>(1000, 'x')});
      session->Start(stream);
      if (sent) Sent(*session, 500);
      if (!received.empty()) session->Receive(received);
      session->Cancel(stream);
      stream.OnCancel();
      EXPECT_TRUE(session->draining());
      EXPECT_TRUE(session->failure().has_value());
      EXPECT_EQ(Sent(*session), "");
      session->Receive("more");
      session->EndOfInput();
    }
  }
}

}  // namespace
}  // namespace kube::httpclient::internal
