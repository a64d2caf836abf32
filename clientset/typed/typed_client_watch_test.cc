// TypedClient::Watch.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/sharing/sharing_store.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "clientset/rest/config.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_stream.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/typed/options.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/transport_error.h"

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

std::vector<std::string> Drain(watch::Watcher<corev1::Pod>& watcher) {
  std::vector<std::string> lines;
  while (true) {
    const auto event = watcher.Next(Context());
    EXPECT_THAT(event, base::IsOk());
    if (!event.ok() || !event->has_value()) return lines;
    const watch::Event<corev1::Pod>& e = **event;
    lines.push_back(absl::StrCat(watch::ToString(e.type), " ",
                                 e.object ? e.object->metadata.name.view() : e.error.message()));
    if (e.object == nullptr) continue;
    EXPECT_EQ(e.object->kind, "");
    EXPECT_EQ(e.object->api_version, "");
  }
}

class WatchTest : public testing::Test {
 protected:
  Pods MakePods() { return Pods(rest::MakeScriptedClient(transport_), kPods); }
  std::shared_ptr<ScriptedStream> ExpectWatch() {
    return transport_->ExpectStream({.query = {{"watch", {"true"}}}},
                                    {{"content-type", "application/json;stream=watch"}});
  }

  const std::shared_ptr<ScriptedTransport> transport_ = std::make_shared<ScriptedTransport>();
  const Context ctx_ = {};
};

TEST_F(WatchTest, Watch_StreamOfEvents_ReturnsThemInOrder) {
  const auto stream = ExpectWatch();
  stream->Write(Event("ADDED", "prod", "a", "1") + Event("BOOKMARK", "", "b", "2"));
  stream->Write(R"({"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","code":410,)"
                R"("reason":"Expired","message":"too old"}})");
  const auto watcher = MakePods().Watch(ctx_, {.resource_version = "0"});
  ASSERT_THAT(watcher, base::IsOk());
  EXPECT_THAT(Drain(**watcher), ElementsAre("ADDED a", "BOOKMARK b", "ERROR too old"));
  EXPECT_EQ(transport_->requests()[0].Header("accept"),
            "application/vnd.kubernetes.protobuf,application/json");
  EXPECT_EQ(transport_->requests()[0].Param("resourceVersion"), "0");
}

// So that the transport separates watches from other requests.
TEST_F(WatchTest, Watch_IsLongRunning_ListIsNot) {
  ExpectWatch()->End();
  EXPECT_THAT(MakePods().Watch(ctx_), base::IsOk());
  transport_->Expect({}, JsonReply(R"({"kind":"PodList","apiVersion":"v1"})"));
  EXPECT_THAT(MakePods().List(ctx_), base::IsOk());
  ASSERT_EQ(transport_->requests().size(), 2U);
  EXPECT_TRUE(transport_->requests()[0].long_running);
  EXPECT_FALSE(transport_->requests()[1].long_running);
}

TEST_F(WatchTest, Watch_WithASharingStore_DecodesIntoIt) {
  codec::SharingStore store;
  const auto stream = ExpectWatch();
  stream->Write(Event("ADDED", "prod", "a", "1"));
  stream->End();
  const auto watcher = MakePods().Watch(ctx_, {}, {.stream = {.store = &store}});
  ASSERT_THAT(watcher, base::IsOk());
  EXPECT_THAT(Drain(**watcher), ElementsAre("ADDED a"));
}

TEST_F(WatchTest, Watch_Unstructured_ObjectsKeepTheirKind) {
  const auto stream = ExpectWatch();
  stream->Write(Event("ADDED", "prod", "a", "1"));
  const auto watcher =
      TypedClient<Unstructured, UnstructuredList>(rest::MakeScriptedClient(transport_), kPods)
          .Watch(ctx_);
  ASSERT_THAT(watcher, base::IsOk());
  const auto event = (*watcher)->Next(ctx_);
  ASSERT_THAT(event, base::IsOk());
  EXPECT_EQ((*event)->object->kind(), "Pod");
  EXPECT_EQ((*event)->object->api_version(), "v1");
}

TEST_F(WatchTest, Watch_ErrorResponse_ReturnsItsStatus) {
  transport_->Expect({}, StatusReply(410, "Expired", "too old"));
  EXPECT_TRUE(errors::IsResourceExpired(MakePods().Watch(ctx_).status()));
  transport_->Expect({}, {.headers = {{"content-type", "text/html"}}, .body = "<html>"});
  EXPECT_THAT(MakePods().Watch(ctx_).status(),
              base::StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("watch pods: ")));
}

TEST_F(WatchTest, Watch_ServerWithoutProtobuf_AsksInJson) {
  transport_->Expect({}, StatusReply(406, "NotAcceptable", "no protobuf"));
  const auto stream = ExpectWatch();
  stream->Write(Event("ADDED", "prod", "a", "1"));
  stream->End();
  const auto watcher = MakePods().Watch(ctx_);
  ASSERT_THAT(watcher, base::IsOk());
  EXPECT_THAT(Drain(**watcher), ElementsAre("ADDED a"));
  EXPECT_EQ(transport_->requests()[1].Header("accept"), "application/json, */*");
}

// behaviour.md: REST-5
TEST_F(WatchTest, Watch_ConnectionLostOnEachTry_ReturnsAnEndedWatch) {
  using enum httpclient::TransportErrorKind;
  for (const httpclient::TransportErrorKind kind : {kReset, kEof, kTimeout}) {
    SCOPED_TRACE(ToString(kind));
    transport_->Always({.query = {{"fieldSelector", {std::string(ToString(kind))}}}},
                       {.error = httpclient::MakeTransportError({.kind = kind}, "gone")});
    base::SimRuntime sim;
    ASSERT_THAT(sim.Run([&] {
      const auto watcher = MakePods().Watch(Context(), {.field_selector = ToString(kind)});
      ASSERT_THAT(watcher, base::IsOk());
      EXPECT_THAT(Drain(**watcher), ElementsAre());
    }),
                base::IsOk());
  }
  transport_->Always({}, {.error = httpclient::MakeTransportError({.kind = kConnect}, "refused")});
  EXPECT_THAT(MakePods().Watch(ctx_).status(), base::StatusIs(absl::StatusCode::kUnavailable));
}

TEST_F(WatchTest, Watch_IdleTimeout_EndsWithConnectionLost) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([&] {
    const auto stream = ExpectWatch();
    stream->Pause(absl::Seconds(80));
    stream->Write(Event("ADDED", "prod", "a", "1"));
    stream->Pause(absl::Hours(5));
    stream->Write(Event("ADDED", "prod", "b", "2"));
    const auto watcher = MakePods().Watch(Context(), {}, {.idle_timeout = absl::Seconds(90)});
    ASSERT_THAT(watcher, base::IsOk());
    auto event = (*watcher)->Next(Context());
    ASSERT_THAT(event, base::IsOk());
    EXPECT_EQ((*event)->object->metadata.name, "a");

    // The time that the caller spends elsewhere does not count.
    EXPECT_THAT((*watcher)->Next(WithTimeout(Context(), absl::Seconds(60))),
                base::StatusIs(absl::StatusCode::kDeadlineExceeded));

    event = (*watcher)->Next(Context());
    ASSERT_THAT(event, base::IsOk());
    EXPECT_EQ((*event)->type, watch::EventType::kError);
    EXPECT_EQ(httpclient::TransportErrorOf((*event)->error)->kind,
              httpclient::TransportErrorKind::kLost);
    EXPECT_THAT(std::string((*event)->error.message()), HasSubstr("no data received for 1m30s"));
    EXPECT_TRUE(stream->closed());
    event = (*watcher)->Next(Context());
    ASSERT_THAT(event, base::IsOk());
    EXPECT_FALSE(event->has_value());
  }),
              base::IsOk());
}

}  // namespace
}  // namespace kube::typed
