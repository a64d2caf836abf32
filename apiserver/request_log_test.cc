// What the log of requests says of writes: when, what was sent, and what became of the object.
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/handler.h"
#include "apiserver/testing/fake_exchange.h"
#include "apiserver/user.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver {
namespace {

using unstructured::Value;

constexpr char kMaps[] = "/api/v1/namespaces/default/configmaps";
constexpr char kMap[] = "/api/v1/namespaces/default/configmaps/a";
constexpr char kBody[] = R"({"metadata":{"name":"a"},"data":{"x":"y"}})";
constexpr char kMerge[] = "application/merge-patch+json";

class RequestLogTest : public testing::Test {
 protected:
  explicit RequestLogTest(size_t max_object_bytes = 100'000)
      : handler_({.anonymous = Anonymous::kAll, .max_logged_object_bytes = max_object_bytes}) {}

  // Sends a request, and returns its entry in the log. Another code is a failed test.
  LoggedRequest Send(int code, absl::string_view method, absl::string_view target,
                     absl::string_view body = "",
                     absl::string_view content_type = "application/json") {
    httpserver::Request request{.method = std::string(method), .target = std::string(target)};
    request.headers.Set("content-type", std::string(content_type));
    request.body = std::string(body);
    const auto exchange = std::make_shared<FakeExchange>(std::move(request));
    handler_.Handle(exchange);
    EXPECT_EQ(exchange->status(), code) << exchange->body();
    return handler_.Requests().back();
  }

  ApiHandler handler_;
};

class RequestLogWithoutObjectsTest : public RequestLogTest {
 protected:
  RequestLogWithoutObjectsTest() : RequestLogTest(0) {}
};

TEST_F(RequestLogTest, Requests_FromAnIndex_AreTheLaterOnes) {
  Send(201, "POST", kMaps, kBody);
  const size_t read = handler_.request_count();
  EXPECT_EQ(read, handler_.Requests().size());
  EXPECT_TRUE(handler_.Requests(read).empty());
  Send(200, "GET", kMap);
  ASSERT_EQ(handler_.Requests(read).size(), 1u);
  EXPECT_EQ(handler_.Requests(read)[0].verb, "get");
  EXPECT_TRUE(handler_.Requests(read + 2).empty());
}

TEST_F(RequestLogTest, ACreate_IsAChangeWithItsObject) {
  const LoggedRequest entry = Send(201, "POST", kMaps, kBody);
  EXPECT_TRUE(entry.changed);
  EXPECT_EQ(entry.name, "");
  EXPECT_EQ(entry.object_name, "a");
  ASSERT_NE(entry.object, nullptr);
  const Value& object = *entry.object;
  EXPECT_EQ(object["apiVersion"].text(), "v1");
  EXPECT_EQ(object["kind"].text(), "ConfigMap");
  EXPECT_EQ(object["metadata"]["name"].text(), "a");
  EXPECT_EQ(object["data"]["x"].text(), "y");
}

TEST_F(RequestLogTest, AFailedCreate_NamesTheObjectThatExists) {
  Send(201, "POST", kMaps, kBody);
  const LoggedRequest entry = Send(409, "POST", kMaps, kBody);
  EXPECT_FALSE(entry.changed);
  EXPECT_EQ(entry.object_name, "a");
  EXPECT_EQ(entry.object, nullptr);
}

TEST_F(RequestLogTest, AnUpdate_HasTheVersionThatWasSent) {
  const LoggedRequest created = Send(201, "POST", kMaps, kBody);
  const std::string version =
      std::string((*created.object)["metadata"]["resourceVersion"].text().value_or(""));
  const LoggedRequest with = Send(200, "PUT", kMap,
                                  absl::StrCat(R"({"metadata":{"name":"a","resourceVersion":")",
                                               version, R"("},"data":{"x":"z"}})"));
  EXPECT_EQ(with.sent_version, version);
  EXPECT_TRUE(with.changed);
  const LoggedRequest without = Send(200, "PUT", kMap, kBody);
  EXPECT_EQ(without.sent_version, "");
}

TEST_F(RequestLogTest, AnUpdateThatChangesNothing_IsNoChange) {
  Send(201, "POST", kMaps, kBody);
  Send(200, "PATCH", kMap, R"({"data":{"x":"z"}})", kMerge);
  const LoggedRequest again = Send(200, "PATCH", kMap, R"({"data":{"x":"z"}})", kMerge);
  EXPECT_FALSE(again.changed);
  ASSERT_NE(again.object, nullptr);
  EXPECT_EQ((*again.object)["data"]["x"].text(), "z");
}

TEST_F(RequestLogTest, APatch_HasTheVersionThatWasSent) {
  Send(201, "POST", kMaps, kBody);
  const LoggedRequest entry =
      Send(409, "PATCH", kMap, R"({"metadata":{"resourceVersion":"1"},"data":{"x":"z"}})", kMerge);
  EXPECT_EQ(entry.sent_version, "1");
  EXPECT_FALSE(entry.changed);
  EXPECT_EQ(entry.object, nullptr);
}

TEST_F(RequestLogTest, ADryRun_IsNoChange) {
  EXPECT_FALSE(Send(201, "POST", absl::StrCat(kMaps, "?dryRun=All"), kBody).changed);
  Send(201, "POST", kMaps, kBody);
  EXPECT_FALSE(
      Send(200, "PATCH", absl::StrCat(kMap, "?dryRun=All"), R"({"data":{"x":"z"}})", kMerge)
          .changed);
  EXPECT_FALSE(Send(200, "DELETE", absl::StrCat(kMap, "?dryRun=All")).changed);
}

TEST_F(RequestLogTest, ASecondDeletionOfAnObjectWithAFinalizer_IsNoChange) {
  Send(201, "POST", kMaps, R"({"metadata":{"name":"a","finalizers":["example.com/f"]}})");
  EXPECT_TRUE(Send(200, "DELETE", kMap).changed);
  EXPECT_FALSE(Send(200, "DELETE", kMap).changed);
  // The write that removes the last finalizer removes the object.
  EXPECT_TRUE(Send(200, "PATCH", kMap, R"({"metadata":{"finalizers":null}})", kMerge).changed);
  EXPECT_FALSE(Send(404, "GET", kMap).changed);
}

TEST_F(RequestLogTest, ADeletionOfACollection_IsAChangeIfItHasDeletedSomething) {
  EXPECT_FALSE(Send(200, "DELETE", absl::StrCat(kMaps, "?labelSelector=a=b")).changed);
  Send(201, "POST", kMaps, R"({"metadata":{"name":"a","labels":{"a":"b"}}})");
  EXPECT_TRUE(Send(200, "DELETE", absl::StrCat(kMaps, "?labelSelector=a=b")).changed);
}

TEST_F(RequestLogTest, ALargerObject_IsLeftOut) {
  const std::string large(100'000, 'x');
  const std::string body =
      absl::StrCat(R"({"metadata":{"name":"a"},"data":{"x":")", large, R"("}})");
  const LoggedRequest entry = Send(201, "POST", kMaps, body);
  EXPECT_TRUE(entry.changed);
  EXPECT_EQ(entry.object, nullptr);
}

TEST_F(RequestLogTest, AnEntry_HasTheTimeOfItsAnswer) {
  base::FakeClock clock;
  base::RuntimeScope scope(clock);
  clock.Step(absl::Seconds(5));
  EXPECT_EQ(Send(201, "POST", kMaps, kBody).time, clock.WallNow());
}

TEST(RequestLogCallbackTest, OnRequest_GetsEachEntryAndMayAskTheHandler) {
  std::unique_ptr<ApiHandler> handler;
  std::string seen;
  handler = std::make_unique<ApiHandler>(
      HandlerOptions{.anonymous = Anonymous::kAll,
                     .max_logged_requests = 1,
                     .on_request = [&](const LoggedRequest& request) {
                       // The entry is not in the log yet.
                       absl::StrAppend(&seen, request.verb, " ", request.code, " ",
                                       handler->Requests().size(), "\n");
                     }});
  for (const char* name : {"a", "kube-system"}) {
    handler->Handle(std::make_shared<FakeExchange>(
        httpserver::Request{.method = "GET", .target = absl::StrCat("/api/v1/namespaces/", name)}));
  }
  EXPECT_EQ(seen, "get 404 0\nget 200 1\n");
}

TEST_F(RequestLogWithoutObjectsTest, ByDefault_NoObjectIsKept) {
  const LoggedRequest created = Send(201, "POST", kMaps, kBody);
  EXPECT_TRUE(created.changed);
  EXPECT_EQ(created.object_name, "a");
  EXPECT_EQ(created.object, nullptr);
  EXPECT_EQ(Send(200, "PUT", kMap, R"({"metadata":{"name":"a"}})").object, nullptr);
}

}  // namespace
}  // namespace kube::apiserver
