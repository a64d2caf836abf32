// Behaviours that need more than requests one after the other: sizes, pages, writers at once, tags,
// what is forgotten, and the typed client over it all.
#include "clientset/rest/client.h"

#include <cstddef>
#include <iostream>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "clientset/pager/pager.h"
#include "clientset/rest/config.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "tests/conformance/server_under_test.h"

namespace kube::conformance {
namespace {

namespace corev1 = api::core::v1;

using ::kube::base::IsOk;
using ::testing::HasSubstr;
using ConfigMaps = typed::TypedClient<corev1::ConfigMap, corev1::ConfigMapList>;

constexpr typed::Resource kConfigMaps = {
    .version = "v1", .plural = "configmaps", .kind = "ConfigMap", .built_in = true};

Context Soon() { return WithTimeout(Context(), absl::Minutes(1)); }

class ClientTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (ServerUnderTest::variant().empty()) return;
    std::cout << "SKIPPED: not of this variant\n";
    GTEST_SKIP();
  }

  ConfigMaps Maps(absl::string_view content_type = "") const {
    rest::Config config = server_.Config();
    config.content_type = std::string(content_type);
    absl::StatusOr<rest::Client> client = rest::MakeClient(config);
    EXPECT_THAT(client.status(), IsOk());
    return ConfigMaps(*std::move(client), kConfigMaps).Namespace(namespace_name_);
  }

  HttpAnswer Send(const std::string& method, const std::string& target, http::Headers headers = {},
                  const std::string& body = "") const {
    headers.Set("authorization", "Bearer admin-token");
    if (!body.empty()) headers.Set("content-type", "application/json");
    return server_.Send(method, target, headers, body);
  }

  void Create(const ConfigMaps& maps, const std::string& name) const {
    ASSERT_THAT(
        maps.Create(Soon(), {.metadata = {.name = name, .labels = {{"case", "y"}}}}).status(),
        IsOk());
  }

  const ServerUnderTest& server_ = ServerUnderTest::Get();
  const std::string namespace_name_ = server_.MakeNamespace();
};

TEST_F(ClientTest, ABodyAboveThreeMegabytesIsTooLarge) {
  const std::string target = absl::StrCat("/api/v1/namespaces/", namespace_name_, "/configmaps");
  const std::string head = R"({"metadata":{"name":"a"},"data":{"x":")";
  const std::string body =
      absl::StrCat(head, std::string(3145729 - head.size() - 3, 'x'), R"("}})");
  ASSERT_EQ(body.size(), 3145729u);
  const HttpAnswer answer = Send("POST", target, {}, body);
  EXPECT_EQ(answer.status, 413);
  EXPECT_THAT(answer.body, HasSubstr(R"("reason":"RequestEntityTooLarge")"));
  EXPECT_THAT(answer.body, HasSubstr("Request entity too large: limit is 3145728"));
}

TEST_F(ClientTest, AConfigMapAboveOneMegabyteIsTooLong) {
  const std::string target = absl::StrCat("/api/v1/namespaces/", namespace_name_, "/configmaps");
  const HttpAnswer answer = Send("POST", target, {},
                                 absl::StrCat(R"({"metadata":{"name":"a"},"data":{"x":")",
                                              std::string(1048577, 'x'), R"("}})"));
  EXPECT_EQ(answer.status, 422);
  EXPECT_THAT(answer.body, HasSubstr(R"(ConfigMap \"a\" is invalid: []: Too long: may not be more )"
                                     "than 1048576 bytes"));
}

TEST_F(ClientTest, ProtobufAndJsonAreTheSameObject) {
  const ConfigMaps protobuf = Maps();
  const ConfigMaps json = Maps("application/json");
  absl::StatusOr<corev1::ConfigMap> created = protobuf.Create(
      Soon(),
      {.metadata = {.name = "a"}, .data = {{"x", "grüße"}}, .binary_data = {{"b", Bytes("\1\2")}}});
  ASSERT_THAT(created.status(), IsOk());
  const absl::StatusOr<corev1::ConfigMap> read = json.Get(Soon(), "a");
  ASSERT_THAT(read.status(), IsOk());
  EXPECT_EQ(read->data, created->data);
  EXPECT_EQ(read->binary_data, created->binary_data);
  EXPECT_EQ(read->metadata.uid, created->metadata.uid);
  EXPECT_EQ(read->metadata.resource_version, created->metadata.resource_version);
}

TEST_F(ClientTest, AWatchInProtobufSeesWhatJsonWrote) {
  const ConfigMaps protobuf = Maps();
  const absl::StatusOr<corev1::ConfigMap> created =
      Maps("application/json").Create(Soon(), {.metadata = {.name = "a"}, .data = {{"x", "1"}}});
  ASSERT_THAT(created.status(), IsOk());
  auto watcher =
      protobuf.Watch(Soon(), {.field_selector = "metadata.name=a", .resource_version = "0"});
  ASSERT_THAT(watcher.status(), IsOk());
  const auto event = (*watcher)->Next(Soon());
  ASSERT_THAT(event.status(), IsOk());
  ASSERT_TRUE(event->has_value());
  EXPECT_EQ((*event)->type, watch::EventType::kAdded);
  EXPECT_EQ((*event)->object->data, created->data);
}

TEST_F(ClientTest, PagesHaveEachObjectOnce) {
  const ConfigMaps maps = Maps();
  constexpr size_t kCount = 57;
  for (size_t i = 0; i < kCount; ++i) Create(maps, absl::StrCat("m", i));
  std::set<std::string> names;
  size_t pages = 0;
  const auto pager = pager::SharedPagerOf(maps, {.page_size = 10});
  ASSERT_THAT(pager.EachPage(Soon(), {.label_selector = "case=y"},
                             [&](auto page) {
                               ++pages;
                               for (const auto& each : page.items) {
                                 EXPECT_TRUE(names.insert(std::string(each->metadata.name)).second);
                               }
                               return absl::OkStatus();
                             }),
              IsOk());
  EXPECT_EQ(names.size(), kCount);
  EXPECT_EQ(pages, 6u);
}

TEST_F(ClientTest, WritersAtOnceLoseNothing) {
  const ConfigMaps maps = Maps();
  ASSERT_THAT(maps.Create(Soon(), {.metadata = {.name = "a"}, .data = {{"count", "0"}}}).status(),
              IsOk());
  constexpr int kWriters = 4, kTimes = 5;
  base::ThreadGroup writers((Context()));
  for (int w = 0; w < kWriters; ++w) {
    writers.Go("writer", [&](const Context& ctx) -> absl::Status {
      for (int i = 0; i < kTimes;) {
        absl::StatusOr<corev1::ConfigMap> map = maps.Get(ctx, "a");
        if (!map.ok()) return map.status();
        int count = 0;
        if (!absl::SimpleAtoi(map->data["count"].view(), &count))
          return absl::InternalError("count");
        map->data["count"] = absl::StrCat(count + 1);
        const absl::Status updated = maps.Update(ctx, *std::move(map)).status();
        if (updated.ok()) {
          ++i;
        } else if (!errors::IsConflict(updated)) {
          return updated;
        }
      }
      return absl::OkStatus();
    });
  }
  ASSERT_THAT(writers.Wait(), IsOk());
  const absl::StatusOr<corev1::ConfigMap> map = maps.Get(Soon(), "a");
  ASSERT_THAT(map.status(), IsOk());
  EXPECT_EQ(*map->data.find("count"), absl::StrCat(kWriters * kTimes));
}

TEST_F(ClientTest, DiscoveryThatIsKnownIsNotSentAgain) {
  const std::string accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  const HttpAnswer first = Send("GET", "/apis", {{"accept", accept}});
  ASSERT_EQ(first.status, 200);
  const std::string tag(first.headers.Get("etag").value_or(""));
  ASSERT_FALSE(tag.empty());
  const HttpAnswer again = Send("GET", "/apis", {{"accept", accept}, {"if-none-match", tag}});
  EXPECT_EQ(again.status, 304);
  EXPECT_EQ(again.body, "");
  EXPECT_EQ(Send("GET", "/apis", {{"accept", accept}, {"if-none-match", "\"other\""}}).status, 200);
}

// Tests of history that has been dropped.
class ForgottenTest : public ClientTest {
 protected:
  void SetUp() override {
    if (!server_.is_real() || ServerUnderTest::variant() == "also_without_watch_cache") return;
    std::cout << "SKIPPED: the cache of a real server remembers\n";
    GTEST_SKIP();
  }
};

TEST_F(ForgottenTest, AListOfExactlyAForgottenVersionIsGone) {
  const ConfigMaps maps = Maps();
  Create(maps, "a");
  const std::string old(maps.List(Soon(), {})->metadata.resource_version);
  Create(maps, "b");
  ASSERT_TRUE(server_.Compact());
  const absl::Status gone =
      maps.List(Soon(), {.resource_version = old, .resource_version_match = "Exact"}).status();
  EXPECT_TRUE(errors::IsResourceExpired(gone)) << gone;
  EXPECT_EQ(errors::StatusOf(gone)->code, 410);
}

TEST_F(ForgottenTest, AForgottenContinueIsGoneAndSaysHowToGoOn) {
  const ConfigMaps maps = Maps();
  for (const char* name : {"a", "b", "c"}) Create(maps, name);
  const auto page = maps.List(Soon(), {.label_selector = "case=y", .limit = 1});
  ASSERT_THAT(page.status(), IsOk());
  Create(maps, "d");
  ASSERT_TRUE(server_.Compact());
  const std::string token(page->metadata.continue_);
  const absl::Status gone =
      maps.List(Soon(), {.label_selector = "case=y", .limit = 1, .continue_ = token}).status();
  ASSERT_TRUE(errors::IsResourceExpired(gone)) << gone;
  const std::string next(errors::StatusOf(gone)->metadata.continue_);
  ASSERT_FALSE(next.empty());
  const auto rest = maps.List(Soon(), {.label_selector = "case=y", .continue_ = next});
  ASSERT_THAT(rest.status(), IsOk());
  EXPECT_EQ(rest->items.size(), 3u);
  EXPECT_NE(rest->metadata.resource_version, page->metadata.resource_version);
}

TEST_F(ForgottenTest, AWatchFromAForgottenVersionSaysSoInItsFirstEvent) {
  const ConfigMaps maps = Maps();
  Create(maps, "a");
  const std::string old(maps.List(Soon(), {})->metadata.resource_version);
  // One change would not do: a real server still has the last.
  for (const char* name : {"b", "c"}) Create(maps, name);
  ASSERT_TRUE(server_.Compact());
  auto watcher = maps.Watch(Soon(), {.resource_version = old});
  ASSERT_THAT(watcher.status(), IsOk());
  const auto event = (*watcher)->Next(Soon());
  ASSERT_THAT(event.status(), IsOk());
  ASSERT_TRUE(event->has_value());
  EXPECT_EQ((*event)->type, watch::EventType::kError);
  EXPECT_TRUE(errors::IsResourceExpired((*event)->error)) << (*event)->error;
}

}  // namespace
}  // namespace kube::conformance
