#include "net/httpclient/etag_cache.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/watch/byte_stream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"

namespace kube::httpclient {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;
using testing::ElementsAre;

// A body in pieces; ends with an error if it is not OK.
class Pieces final : public watch::ByteStream {
 public:
  explicit Pieces(std::vector<std::string> pieces, absl::Status end = absl::OkStatus())
      : pieces_(std::move(pieces)), end_(std::move(end)) {}
  absl::StatusOr<std::string> Read(const Context&) override {
    if (next_ < pieces_.size()) return pieces_[next_++];
    if (!end_.ok()) return end_;
    return std::string();
  }
  void Close() override {}

 private:
  const std::vector<std::string> pieces_;
  const absl::Status end_;
  size_t next_ = 0;
};

// A server with one document, whose ETag is its text.
class Server final : public Transport {
 public:
  absl::StatusOr<HttpResponse> RoundTrip(const Context&, HttpRequest request) override {
    const bool is_conditional = request.headers.Get("if-none-match").has_value();
    const std::string asked(request.headers.Get("if-none-match").value_or(""));
    HttpResponse response;
    if (has_etag) response.headers.Set("etag", document);
    if (!asked.empty() && asked == document) {
      log.push_back("304");
      response.status = 304;
      response.body = std::make_unique<Pieces>(std::vector<std::string>());
      return response;
    }
    log.push_back(is_conditional ? absl::StrCat("200 after ", asked) : "200");
    response.status = status;
    response.headers.Set("content-type", "text/plain");
    response.body =
        std::make_unique<Pieces>(std::vector<std::string>{document, document}, end_of_body);
    return response;
  }
  void CloseIdleConnections() override { log.push_back("close idle"); }
  void CloseConnections(const ConnectionOptions& connection) override {
    log.push_back(absl::StrCat("close ", connection.tls_server_name));
  }

  std::string document = "v1";
  bool has_etag = true;
  int status = 200;
  absl::Status end_of_body;
  std::vector<std::string> log;
};

class EtagCacheTest : public testing::Test {
 protected:
  absl::StatusOr<std::string> Ask(HttpRequest request = {.url = "http://a/openapi"}) {
    absl::StatusOr<HttpResponse> response = cache_->RoundTrip(ctx_, std::move(request));
    if (!response.ok()) return response.status();
    type_ = std::string(response->headers.Get("content-type").value_or(""));
    std::string text = absl::StrCat(response->status, ": ");
    while (true) {
      absl::StatusOr<std::string> piece = response->body->Read(ctx_);
      if (!piece.ok()) return piece.status();
      if (piece->empty()) return text;
      text += *piece;
    }
  }

  const Context ctx_{};
  const std::shared_ptr<Server> server_ = std::make_shared<Server>();
  std::shared_ptr<Transport> cache_ = MakeEtagCache(server_);
  std::string type_;
};

TEST_F(EtagCacheTest, ADocumentThatHasNotChanged_IsSentOnce) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(Ask(), IsOkAndHolds("200: v1v1"));
    EXPECT_EQ(type_, "text/plain");
  }
  server_->document = "v2";
  EXPECT_THAT(Ask(), IsOkAndHolds("200: v2v2"));
  EXPECT_THAT(Ask(), IsOkAndHolds("200: v2v2"));
  EXPECT_THAT(server_->log, ElementsAre("200", "304", "304", "200 after v1", "304"));
}

TEST_F(EtagCacheTest, OtherUrlsAndFormats_AreOtherDocuments) {
  EXPECT_THAT(Ask(), IsOkAndHolds("200: v1v1"));
  EXPECT_THAT(Ask({.url = "http://b/openapi"}), IsOkAndHolds("200: v1v1"));
  EXPECT_THAT(Ask({.url = "http://a/openapi", .headers = {{"accept", "application/json"}}}),
              IsOkAndHolds("200: v1v1"));
  EXPECT_THAT(server_->log, ElementsAre("200", "200", "200"));
}

TEST_F(EtagCacheTest, OtherRequestsAndResponses_AreNotKept) {
  const std::vector<std::function<void(HttpRequest&)>> changes = {
      [](HttpRequest& r) { r.method = "POST"; },
      [](HttpRequest& r) { r.long_running = true; },
      [](HttpRequest& r) { r.upgrade = true; },
      [](HttpRequest& r) { r.body = std::make_shared<std::string>("x"); },
      [](HttpRequest& r) { r.headers.Set("range", "bytes=0-1"); },
  };
  for (const auto& change : changes) {
    HttpRequest request = {.url = "http://a/openapi"};
    change(request);
    EXPECT_THAT(Ask(request), IsOkAndHolds("200: v1v1"));
  }
  server_->status = 404;
  EXPECT_THAT(Ask(), IsOkAndHolds("404: v1v1"));
  server_->status = 200;
  server_->has_etag = false;
  EXPECT_THAT(Ask(), IsOkAndHolds("200: v1v1"));
  server_->has_etag = true;
  EXPECT_THAT(Ask(), IsOkAndHolds("200: v1v1"));
  EXPECT_EQ(server_->log, std::vector<std::string>(changes.size() + 3, "200"));
}

TEST_F(EtagCacheTest, TheCallersOwnCondition_IsLeftToIt) {
  EXPECT_THAT(Ask(), IsOkAndHolds("200: v1v1"));
  EXPECT_THAT(Ask({.url = "http://a/openapi", .headers = {{"if-none-match", "v1"}}}),
              IsOkAndHolds("304: "));
}

TEST_F(EtagCacheTest, WhatDoesNotFit_PassesOrDisplacesTheOldest) {
  cache_ = MakeEtagCache(server_, {.max_bytes = 8});
  EXPECT_THAT(Ask({.url = "http://a"}), IsOkAndHolds("200: v1v1"));
  EXPECT_THAT(Ask({.url = "http://b"}), IsOkAndHolds("200: v1v1"));
  EXPECT_THAT(Ask({.url = "http://a"}), IsOkAndHolds("200: v1v1"));
  // This displaces b, which was not used for the longest time.
  EXPECT_THAT(Ask({.url = "http://c"}), IsOkAndHolds("200: v1v1"));
  EXPECT_THAT(Ask({.url = "http://a"}), IsOkAndHolds("200: v1v1"));
  EXPECT_THAT(Ask({.url = "http://b"}), IsOkAndHolds("200: v1v1"));
  EXPECT_THAT(server_->log, ElementsAre("200", "200", "304", "200", "304", "200"));
  server_->log.clear();
  server_->document = "larger";
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(Ask({.url = "http://d"}), IsOkAndHolds("200: largerlarger"));
  }
  EXPECT_THAT(server_->log, ElementsAre("200", "200"));
}

TEST_F(EtagCacheTest, TooManyResponses_DisplaceTheOldest) {
  cache_ = MakeEtagCache(server_, {.max_responses = 2});
  for (const char* url : {"http://a", "http://b", "http://c", "http://c", "http://a"}) {
    EXPECT_THAT(Ask({.url = url}), IsOkAndHolds("200: v1v1"));
  }
  EXPECT_THAT(server_->log, ElementsAre("200", "200", "200", "304", "200"));
  server_->log.clear();
  cache_ = MakeEtagCache(server_, {.max_responses = 0});
  for (int i = 0; i < 2; ++i) EXPECT_THAT(Ask(), IsOkAndHolds("200: v1v1"));
  EXPECT_THAT(server_->log, ElementsAre("200", "200"));
}

TEST_F(EtagCacheTest, AnEmptyEtag_IsNone) {
  server_->document = "";
  for (int i = 0; i < 2; ++i) EXPECT_THAT(Ask(), IsOkAndHolds("200: "));
  EXPECT_THAT(server_->log, ElementsAre("200", "200"));
}

TEST_F(EtagCacheTest, Connections_AreClosedByTheNextTransport) {
  cache_->CloseIdleConnections();
  cache_->CloseConnections({.tls_server_name = "a"});
  EXPECT_THAT(server_->log, ElementsAre("close idle", "close a"));
}

TEST_F(EtagCacheTest, ABodyThatBreaksOff_IsAnErrorAndNotKept) {
  server_->end_of_body = absl::UnavailableError("cut");
  EXPECT_THAT(Ask(), StatusIs(absl::StatusCode::kUnavailable, "cut"));
  server_->end_of_body = absl::OkStatus();
  EXPECT_THAT(Ask(), IsOkAndHolds("200: v1v1"));
  EXPECT_THAT(server_->log, ElementsAre("200", "200"));
}

}  // namespace
}  // namespace kube::httpclient
