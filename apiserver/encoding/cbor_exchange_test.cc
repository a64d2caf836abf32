#include "apiserver/encoding/cbor_exchange.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/cbor.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/testing/fake_exchange.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

using httpserver::Exchange;

constexpr char kJson[] = "application/json";
constexpr char kCbor[] = "application/cbor";
constexpr char kTarget[] = "/api/v1/namespaces/default/configmaps";

std::string CborOf(absl::string_view json) {
  return unstructured::EncodeCbor(unstructured::ParseJson(json).value()).value();
}

// A request with an Accept header.
std::shared_ptr<FakeExchange> Asking(absl::string_view accept, absl::string_view target = kTarget) {
  httpserver::Request request{.method = "GET", .target = std::string(target)};
  request.headers.Set("accept", accept);
  return std::make_shared<FakeExchange>(std::move(request));
}

// A request with a body.
std::shared_ptr<FakeExchange> Sending(absl::string_view type, std::string body) {
  httpserver::Request request{.method = "POST", .target = kTarget, .body = std::move(body)};
  request.headers.Set("content-type", type);
  return std::make_shared<FakeExchange>(std::move(request));
}

TEST(CborExchange, ARequestInCbor_IsJsonToTheHandler) {
  const std::string cbor = CborOf(R"({"a":[1,"x"]})");
  const std::shared_ptr<Exchange> plain = WithCbor(Sending(kCbor, cbor));
  EXPECT_EQ(plain->request().body, R"({"a":[1,"x"]})");
  EXPECT_EQ(plain->request().headers.Get("content-type"), kJson);
  const std::shared_ptr<Exchange> apply = WithCbor(Sending("application/apply-patch+cbor", cbor));
  EXPECT_EQ(apply->request().body, R"({"a":[1,"x"]})");
  EXPECT_EQ(apply->request().headers.Get("content-type"), "application/apply-patch+yaml");
}

TEST(CborExchange, ABodyThatIsNotCbor_IsLeftForTheHandlerToRefuse) {
  const std::shared_ptr<Exchange> exchange = WithCbor(Sending(kCbor, "\xff"));
  EXPECT_EQ(exchange->request().body, "\xff");
  EXPECT_EQ(exchange->request().headers.Get("content-type"), kJson);
}

TEST(CborExchange, AnAnswer_IsInTheFormThatTheClientPrefers) {
  const struct {
    const char* accept;
    bool is_cbor;
  } rows[] = {
      {"application/cbor", true},      {"application/json;q=0.9,application/cbor;q=1", true},
      {"application/cbor, */*", true}, {"application/cbor;q=0.5, application/json", false},
      {"application/json", false},     {"*/*", false},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.accept);
    const std::shared_ptr<FakeExchange> asked = Asking(row.accept);
    const std::shared_ptr<Exchange> exchange = WithCbor(asked);
    EXPECT_EQ(exchange != asked, row.is_cbor);
    exchange->Respond({.headers = {{"content-type", kJson}}, .body = "{\"a\":1}\n"});
    EXPECT_EQ(asked->headers().Get("content-type"), row.is_cbor ? kCbor : kJson);
    EXPECT_EQ(asked->body(), row.is_cbor ? CborOf(R"({"a":1})") : "{\"a\":1}\n");
  }
}

TEST(CborExchange, WhatIsNotJsonOrNotForObjects_StaysAsItIs) {
  const std::shared_ptr<FakeExchange> log = Asking(kCbor);
  WithCbor(log)->Respond({.headers = {{"content-type", "text/plain"}}, .body = "a line"});
  EXPECT_EQ(log->body(), "a line");
  const std::shared_ptr<FakeExchange> version = Asking(kCbor, "/version");
  EXPECT_TRUE(WithCbor(version) == version);
}

TEST(CborExchange, AWatch_IsASequenceOfEvents) {
  const std::shared_ptr<FakeExchange> asked = Asking(kCbor, absl::StrCat(kTarget, "?watch=1"));
  const std::shared_ptr<Exchange> exchange = WithCbor(asked);
  exchange->Start(200, {{"content-type", kJson}});
  EXPECT_EQ(asked->headers().Get("content-type"), "application/cbor-seq");
  EXPECT_TRUE(exchange->Write("{\"type\":\"ADDED\"}\n{\"type\":"));
  EXPECT_EQ(asked->body(), CborOf(R"({"type":"ADDED"})"));
  EXPECT_TRUE(exchange->Write("\"DELETED\"}\n"));
  EXPECT_EQ(asked->body(), CborOf(R"({"type":"ADDED"})") + CborOf(R"({"type":"DELETED"})"));
  exchange->Finish();
  EXPECT_TRUE(asked->finished());
}

}  // namespace
}  // namespace kube::apiserver::internal
