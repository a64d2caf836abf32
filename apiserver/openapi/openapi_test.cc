#include "apiserver/openapi/openapi.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/custom_kind.h"
#include "apiserver/openapi/testing/sample_kind.h"
#include "apiserver/resources.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

using testing::IsEmpty;
using testing::StartsWith;
using unstructured::ParseJson;
using unstructured::Value;

constexpr absl::string_view kProtobufV3 =
    "application/com.github.proto-openapi.spec.v3.v1.0+protobuf";
constexpr absl::string_view kProtobufV2 =
    "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
constexpr char kApps[] = "/openapi/v3/apis/apps/v1";

httpserver::Response Get(OpenApi& openapi, const Resources& resources, absl::string_view target,
                         http::Headers headers = {}) {
  const httpserver::Request request = {
      .method = "GET", .target = std::string(target), .headers = std::move(headers)};
  std::optional<httpserver::Response> response =
      openapi.Serve(resources, request, target.substr(0, target.find('?')));
  EXPECT_TRUE(response.has_value()) << target;
  return response.value_or(httpserver::Response());
}

std::string Header(const httpserver::Response& response, absl::string_view name) {
  return std::string(response.headers.Get(name).value_or(""));
}

// Returns the URL of a document in the index.
std::string UrlIn(const httpserver::Response& index, absl::string_view name) {
  const Value parsed = ParseJson(index.body).value();
  return std::string(parsed["paths"][name]["serverRelativeURL"].text().value_or(""));
}

class OpenApiTest : public testing::Test {
 protected:
  httpserver::Response Get(absl::string_view target, http::Headers headers = {}) {
    return internal::Get(openapi_, resources_, target, std::move(headers));
  }

  const Resources resources_ = Resources::BuiltIn();
  OpenApi openapi_;
};

TEST_F(OpenApiTest, TheIndexNamesEveryDocumentByItsHash) {
  const httpserver::Response index = Get("/openapi/v3");
  EXPECT_EQ(index.status, 200);
  // As kube-apiserver sends it.
  EXPECT_EQ(Header(index, "content-type"), "text/plain; charset=utf-8");
  const Value parsed = ParseJson(index.body).value();
  EXPECT_EQ(parsed["paths"].object()->size(), resources_.group_versions().size());
  const std::string url = UrlIn(index, "apis/apps/v1");
  EXPECT_THAT(url, testing::MatchesRegex("/openapi/v3/apis/apps/v1\\?hash=[0-9A-F]{128}"));
  EXPECT_THAT(UrlIn(index, "api/v1"), StartsWith("/openapi/v3/api/v1?hash="));
  EXPECT_EQ(Header(Get(kApps), "etag"), absl::StrCat("\"", url.substr(url.find('=') + 1), "\""));
}

TEST_F(OpenApiTest, WhatAClientKnowsIsNotSentAgain) {
  for (const char* path : {"/openapi/v3", kApps, "/openapi/v2"}) {
    const httpserver::Response first = Get(path);
    const std::string etag = Header(first, "etag");
    ASSERT_FALSE(etag.empty()) << path;
    for (const std::string& known : {etag, "W/" + etag, "\"other\", " + etag, std::string("*")}) {
      const httpserver::Response second = Get(path, {{"if-none-match", known}});
      EXPECT_EQ(second.status, 304) << path << " " << known;
      EXPECT_THAT(second.body, IsEmpty());
      EXPECT_EQ(Header(second, "etag"), etag);
    }
    EXPECT_EQ(Get(path, {{"if-none-match", "\"other\""}}).status, 200) << path;
  }
}

TEST_F(OpenApiTest, TheAcceptHeaderDecidesTheEncoding) {
  const struct {
    const char* path;
    std::string accept;
    int status;
    absl::string_view content_type;
  } rows[] = {
      {kApps, "", 200, "application/json"},
      {kApps, "*/*", 200, "application/json"},
      {kApps, "application/*", 200, "application/json"},
      {kApps, "application/json", 200, "application/json"},
      {kApps, std::string(kProtobufV3), 200, kProtobufV3},
      {kApps, "application/com.github.proto-openapi.spec.v3@v1.0+protobuf", 200, kProtobufV3},
      {kApps, absl::StrCat("application/json;q=0.5,", kProtobufV3), 200, kProtobufV3},
      {kApps, "text/html, application/json;q=0.1", 200, "application/json"},
      {kApps, "text/html", 406, ""},
      {kApps, std::string(kProtobufV2), 406, ""},
      {"/openapi/v2", "", 200, "application/json"},
      {"/openapi/v2", "application/json", 200, "application/json"},
      {"/openapi/v2", "application/com.github.proto-openapi.spec.v2@v1.0+protobuf", 200,
       kProtobufV2},
      {"/openapi/v2", std::string(kProtobufV3), 406, ""},
      // The index has one form.
      {"/openapi/v3", "text/html", 200, "text/plain; charset=utf-8"},
  };
  for (const auto& row : rows) {
    const httpserver::Response response = Get(row.path, {{"accept", row.accept}});
    EXPECT_EQ(response.status, row.status) << row.path << " " << row.accept;
    EXPECT_EQ(Header(response, "content-type"), row.content_type) << row.path << row.accept;
    EXPECT_EQ(response.body.empty(), row.status != 200) << row.path << " " << row.accept;
    const bool is_index = row.content_type == "text/plain; charset=utf-8";
    EXPECT_EQ(Header(response, "vary"), is_index ? "" : "Accept");
  }
}

TEST_F(OpenApiTest, BothEncodingsHaveTheTagOfTheJson) {
  const httpserver::Response json = Get(kApps);
  const httpserver::Response protobuf = Get(kApps, {{"accept", std::string(kProtobufV3)}});
  EXPECT_EQ(Header(json, "etag"), Header(protobuf, "etag"));
  EXPECT_THAT(json.body, StartsWith("{\"components\":"));
  // Document.openapi.
  EXPECT_THAT(protobuf.body, StartsWith("\n\0053.0.0"));
  EXPECT_THAT(Get("/openapi/v2", {{"accept", std::string(kProtobufV2)}}).body,
              StartsWith("\n\0032.0"));
}

TEST_F(OpenApiTest, ADocumentWithItsHashNeverChanges) {
  base::FakeClock clock;
  const base::RuntimeScope scope(clock);
  const std::string url = UrlIn(Get("/openapi/v3"), "apis/apps/v1");
  const httpserver::Response response = Get(url);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(Header(response, "cache-control"), "public, immutable");
  EXPECT_EQ(Header(response, "expires"), "Sat, 19 Dec 2020 00:00:00 GMT");
  EXPECT_EQ(Header(response, "vary"), "Accept");
  EXPECT_EQ(Header(Get(kApps), "cache-control"), "no-cache, private");
  EXPECT_EQ(Header(Get(kApps), "expires"), "");
}

TEST_F(OpenApiTest, AnotherHashIsRedirected) {
  const std::string url = UrlIn(Get("/openapi/v3"), "apis/apps/v1");
  const httpserver::Response response = Get(absl::StrCat(kApps, "?hash=0123"));
  EXPECT_EQ(response.status, 301);
  EXPECT_EQ(Header(response, "location"), url);
  EXPECT_THAT(response.body, IsEmpty());
  EXPECT_EQ(Get(absl::StrCat(kApps, "?hash=")).status, 200);
}

TEST_F(OpenApiTest, OtherPaths) {
  EXPECT_EQ(Get("/openapi/v3/nothing").status, 404);
  EXPECT_EQ(Get("/openapi/v3/apis/apps").status, 404);
  for (const char* path : {"/openapi", "/openapi/v3x", "/version"}) {
    EXPECT_FALSE(openapi_.Serve(resources_, {}, path).has_value()) << path;
  }
}

TEST(OpenApi, ADocumentChangesWithTheDefinitionsOfItsGroupVersion) {
  OpenApi openapi;
  const Resources without = Resources::BuiltIn();
  const Resources with = Resources::With({{.kind = SampleKind(R"({"type":"object"})")}});
  const Resources changed = Resources::With(
      {{.kind = SampleKind(R"({"type":"object","properties":{"a":{"type":"string"}}})")}});
  constexpr char kCustom[] = "apis/stable.example.com/v1";
  EXPECT_EQ(UrlIn(Get(openapi, without, "/openapi/v3"), kCustom), "");
  const httpserver::Response before = Get(openapi, with, "/openapi/v3");
  const httpserver::Response after = Get(openapi, changed, "/openapi/v3");
  EXPECT_NE(UrlIn(before, kCustom), "");
  EXPECT_NE(UrlIn(after, kCustom), UrlIn(before, kCustom));
  EXPECT_EQ(UrlIn(after, "apis/apps/v1"), UrlIn(before, "apis/apps/v1"));
  const httpserver::Response old = Get(openapi, changed, UrlIn(before, kCustom));
  EXPECT_EQ(old.status, 301);
  EXPECT_EQ(Header(old, "location"), UrlIn(after, kCustom));
  EXPECT_EQ(Get(openapi, without, absl::StrCat("/openapi/v3/", kCustom)).status, 404);
  // Also that of everything.
  const std::string all = Header(Get(openapi, with, "/openapi/v2"), "etag");
  EXPECT_NE(Header(Get(openapi, changed, "/openapi/v2"), "etag"), all);
  EXPECT_EQ(Header(Get(openapi, with, "/openapi/v2"), "etag"), all);
}

TEST(OpenApi, WhatIsNoLongerServedIsForgotten) {
  OpenApi openapi;
  std::weak_ptr<const CustomKind> kind;
  {
    const std::shared_ptr<const CustomKind> sample = SampleKind(R"({"type":"object"})");
    kind = sample;
    const Resources with = Resources::With({{.kind = sample}});
    EXPECT_EQ(Get(openapi, with, "/openapi/v3/apis/stable.example.com/v1").status, 200);
    EXPECT_EQ(Get(openapi, with, "/openapi/v2").status, 200);
  }
  EXPECT_FALSE(kind.expired());
  EXPECT_EQ(Get(openapi, Resources::BuiltIn(), kApps).status, 200);
  EXPECT_TRUE(kind.expired());
}

TEST(OpenApi, ServesManyThreads) {
  OpenApi openapi;
  const Resources resources = Resources::BuiltIn();
  base::ThreadGroup threads{Context()};
  for (int i = 0; i < 4; ++i) {
    threads.Go("openapi", [&](const Context&) {
      const httpserver::Response index = Get(openapi, resources, "/openapi/v3");
      EXPECT_EQ(Get(openapi, resources, UrlIn(index, "apis/batch/v1")).status, 200);
      return absl::OkStatus();
    });
  }
  EXPECT_THAT(threads.Wait(), base::IsOk());
}

}  // namespace
}  // namespace kube::apiserver::internal
