#include "clientset/typed/watch_list.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "clientset/rest/config.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_stream.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/typed/options.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::typed {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
using rest::JsonReply;
using rest::ScriptedStream;
using rest::ScriptedTransport;
using rest::StatusReply;
using testing::ElementsAre;
using testing::HasSubstr;
using unstructured::Unstructured;
using unstructured::UnstructuredList;

constexpr Resource kPods = {
    .group = "", .version = "v1", .plural = "pods", .kind = "Pod", .built_in = true};

using Pods = TypedClient<corev1::Pod, corev1::PodList>;

std::string Event(absl::string_view type, absl::string_view namespace_name, absl::string_view name,
                  absl::string_view version) {
  return absl::StrCat(R"({"type":")", type, R"(","object":{"kind":"Pod","apiVersion":"v1",)",
                      R"("metadata":{"namespace":")", namespace_name, R"(","name":")", name,
                      R"(","resourceVersion":")", version, R"("}}})", "\n");
}

constexpr char kEnd[] =
    R"({"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{)"
    R"("resourceVersion":"9","annotations":{"k8s.io/initial-events-end":"true"}}}})";

class WatchListTest : public testing::Test {
 protected:
  Pods MakePods() { return Pods(rest::MakeScriptedClient(transport_), kPods); }
  std::shared_ptr<ScriptedStream> ExpectWatch() {
    return transport_->ExpectStream({.query = {{"watch", {"true"}}}},
                                    {{"content-type", "application/json;stream=watch"}});
  }

  const std::shared_ptr<ScriptedTransport> transport_ = std::make_shared<ScriptedTransport>();
  const Context ctx_ = {};
};

TEST_F(WatchListTest, ListByWatch_UntilTheInitialEventsEnd_ReturnsTheObjects) {
  const auto stream = ExpectWatch();
  // A server that lags behind may send them like this.
  for (const std::string& event :
       {Event("ADDED", "a-b", "x", "1"), Event("ADDED", "a", "z", "2"),
        Event("ADDED", "a", "gone", "3"), Event("BOOKMARK", "", "", "4"),
        Event("MODIFIED", "a", "z", "5"), Event("DELETED", "a", "gone", "6"), std::string(kEnd)}) {
    stream->Write(event);
  }
  const auto page = ListByWatch(ctx_, MakePods(), {.label_selector = "app=web"});
  ASSERT_THAT(page, base::IsOk());
  EXPECT_EQ(page->list.metadata.resource_version, "9");
  std::vector<std::string> objects;
  for (const auto& pod : page->items) {
    objects.push_back(absl::StrCat(pod->metadata.namespace_.view(), "/", pod->metadata.name.view(),
                                   " ", pod->metadata.resource_version.view()));
  }
  EXPECT_THAT(objects, ElementsAre("a/z 5", "a-b/x 1"));
  EXPECT_TRUE(stream->closed());
  const rest::RecordedRequest request = transport_->requests()[0];
  EXPECT_EQ(request.url,
            "http://localhost/api/v1/pods?allowWatchBookmarks=true&labelSelector=app%3Dweb"
            "&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&watch=true");
}

TEST_F(WatchListTest, ListByWatch_Unstructured_ReturnsTheObjects) {
  ExpectWatch()->Write(Event("ADDED", "a", "x", "1") + kEnd);
  const auto page = ListByWatch(ctx_, TypedClient<Unstructured, UnstructuredList>(
                                          rest::MakeScriptedClient(transport_), kPods));
  ASSERT_THAT(page, base::IsOk());
  EXPECT_EQ(page->list.resource_version(), "9");
  ASSERT_EQ(page->items.size(), 1);
  EXPECT_EQ(page->items[0]->name(), "x");
}

TEST_F(WatchListTest, ListByWatch_ServerWithoutWatchList_Lists) {
  transport_->Expect({.query = {{"watch", {"true"}}}},
                     StatusReply(422, "Invalid", "sendInitialEvents is forbidden for watch"));
  transport_->Expect({}, JsonReply(R"({"metadata":{"resourceVersion":"7"},"items":[{}]})"));
  const auto page = ListByWatch(ctx_, MakePods());
  ASSERT_THAT(page, base::IsOk());
  EXPECT_EQ(page->list.metadata.resource_version, "7");
  EXPECT_EQ(page->items.size(), 1);
  EXPECT_EQ(transport_->requests()[1].url, "http://localhost/api/v1/pods");

  // There is no such watch for one page of a list.
  transport_->Expect({.query = {{"limit", {"5"}}}}, JsonReply(R"({"items":[]})"));
  EXPECT_THAT(ListByWatch(ctx_, MakePods(), {.limit = 5}), base::IsOk());
  EXPECT_EQ(transport_->requests().size(), 3);
}

TEST_F(WatchListTest, ListByWatch_StreamEndsOrFails_ReturnsTheError) {
  auto stream = ExpectWatch();
  stream->Write(Event("ADDED", "a", "x", "1"));
  stream->End();
  EXPECT_THAT(ListByWatch(ctx_, MakePods()).status(),
              base::StatusIs(absl::StatusCode::kUnavailable,
                             HasSubstr("before the initial list was complete")));

  stream = ExpectWatch();
  stream->Write(R"({"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}})");
  EXPECT_TRUE(errors::IsResourceExpired(ListByWatch(ctx_, MakePods()).status()));

  transport_->Expect({}, StatusReply(403, "Forbidden", "no"));
  EXPECT_TRUE(errors::IsForbidden(ListByWatch(ctx_, MakePods()).status()));
  EXPECT_EQ(transport_->requests().size(), 3);
}

struct OptionsCase {
  const char* name;
  metav1::ListOptions list;
  bool possible;
};

// clientset/typed/differential compares every combination with client-go.
TEST(WatchListOptions, WatchListOptions_ListOptions_AreConvertedWherePossible) {
  const OptionsCase cases[] = {
      {"Plain", {}, true},
      {"NotOlderThan", {.resource_version = "7", .resource_version_match = "NotOlderThan"}, true},
      {"Exact", {.resource_version = "7", .resource_version_match = "Exact"}, false},
      {"MatchWithoutVersion", {.resource_version_match = "NotOlderThan"}, false},
      {"Page", {.limit = 5}, false},
      {"LimitThatServersIgnore", {.resource_version = "0", .limit = 5}, true},
      {"NextPage", {.continue_ = "c"}, false},
      {"AlreadyOne", {.send_initial_events = true}, false},
  };
  for (const OptionsCase& c : cases) {
    SCOPED_TRACE(c.name);
    const std::optional<metav1::ListOptions> options = WatchListOptions(c.list);
    ASSERT_EQ(options.has_value(), c.possible);
    if (!c.possible) continue;
    EXPECT_TRUE(options->watch);
    EXPECT_TRUE(options->allow_watch_bookmarks);
    EXPECT_EQ(options->send_initial_events, true);
    EXPECT_EQ(options->resource_version_match, "NotOlderThan");
    EXPECT_EQ(options->resource_version, c.list.resource_version);
    EXPECT_EQ(options->limit, 0);
  }
}

}  // namespace
}  // namespace kube::typed
