#include "clientset/metadata/metadata_client.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/watch/watcher.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/typed/options.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::metadata {
namespace {

namespace metav1 = api::meta::v1;
using base::IsOk;
using base::StatusIs;
using rest::JsonReply;

constexpr char kAcceptObject[] =
    "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,"
    "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
constexpr char kPod[] =
    R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"p"}})";

class Metadata : public testing::Test {
 protected:
  const std::shared_ptr<rest::ScriptedTransport> transport_ =
      std::make_shared<rest::ScriptedTransport>();
  const MetadataClient client_{rest::MakeScriptedClient(transport_)};
  const ResourceClient pods_ =
      client_.Resource({.version = "v1", .resource = "pods"}).Namespace("prod");
  const Context ctx_{};

  void ExpectCall(const char* method, const char* path, rest::ScriptedReply reply) {
    transport_->Expect({.method = method, .path = path}, std::move(reply));
  }
  rest::RecordedRequest Last() const { return transport_->requests().back(); }
  void TearDown() override { EXPECT_THAT(transport_->Verify(), IsOk()); }
};

TEST_F(Metadata, Gets) {
  ExpectCall("GET", "/api/v1/namespaces/prod/pods/p", JsonReply(kPod));
  const absl::StatusOr<metav1::PartialObjectMetadata> pod = pods_.Get(ctx_, "p");
  ASSERT_THAT(pod, IsOk());
  EXPECT_EQ(*pod, (metav1::PartialObjectMetadata{.metadata = {.name = "p"}}));
  EXPECT_EQ(Last().Header("accept"), kAcceptObject);
  ExpectCall("GET", "/api/v1/namespaces/prod/pods/p/status", JsonReply(kPod));
  EXPECT_THAT(pods_.Get(ctx_, "p", {}, {"status"}), IsOk());
}

TEST_F(Metadata, TakesProtobuf) {
  rest::ScriptedReply reply;
  reply.headers.Set("content-type",
                    "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io");
  const metav1::PartialObjectMetadata pod = {.metadata = {.name = "p", .labels = {{"a", "b"}}}};
  reply.body = *codec::EncodeKubernetesProtobuf(
      pod, {.api_version = "meta.k8s.io/v1", .kind = "PartialObjectMetadata"});
  ExpectCall("GET", "/api/v1/namespaces/prod/pods/p", reply);
  EXPECT_THAT(pods_.Get(ctx_, "p"), base::IsOkAndHolds(pod));
}

TEST_F(Metadata, TakesWholeObjects) {
  ExpectCall("GET", "/api/v1/namespaces/prod/pods/p",
             JsonReply(R"({"kind":"Pod","apiVersion":"v1","metadata":{"uid":"u"},"spec":{}})"));
  EXPECT_THAT(pods_.Get(ctx_, "p"), IsOk());
  ExpectCall("GET", "/api/v1/namespaces/prod/pods/p", JsonReply(R"({"spec":{}})"));
  EXPECT_THAT(
      pods_.Get(ctx_, "p"),
      StatusIs(absl::StatusCode::kInvalidArgument,
               testing::HasSubstr("object does not appear to match the ObjectMeta schema")));
}

TEST_F(Metadata, Lists) {
  const char kList[] = R"({"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1",
      "metadata":{"resourceVersion":"7"},"items":[{"kind":"PartialObjectMetadata",
      "apiVersion":"meta.k8s.io/v1","metadata":{"name":"p"}}]})";
  ExpectCall("GET", "/api/v1/namespaces/prod/pods", JsonReply(kList));
  const absl::StatusOr<metav1::PartialObjectMetadataList> list =
      pods_.List(ctx_, {.timeout_seconds = 60});
  ASSERT_THAT(list, IsOk());
  EXPECT_EQ(list->metadata.resource_version, "7");
  ASSERT_EQ(list->items.size(), 1);
  EXPECT_EQ(list->items[0], (metav1::PartialObjectMetadata{.metadata = {.name = "p"}}));
  EXPECT_EQ(Last().Header("accept"),
            "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,"
            "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json");
  EXPECT_EQ(Last().Param("timeout"), "");
  ExpectCall("GET", "/api/v1/namespaces/prod/pods", JsonReply(kList));
  const auto page = pods_.ListPage(ctx_);
  ASSERT_THAT(page, IsOk());
  ASSERT_EQ(page->items.size(), 1);
  EXPECT_EQ(*page->items[0], list->items[0]);
}

TEST_F(Metadata, Watches) {
  ExpectCall("GET", "/api/v1/namespaces/prod/pods",
             JsonReply(std::string(R"({"type":"ADDED","object":)") + kPod + "}"));
  const auto watcher = pods_.Watch(ctx_, {.timeout_seconds = 60});
  ASSERT_THAT(watcher, IsOk());
  const absl::StatusOr<std::optional<watch::Event<metav1::PartialObjectMetadata>>> event =
      (*watcher)->Next(ctx_);
  ASSERT_THAT(event, IsOk());
  ASSERT_TRUE(event->has_value());
  EXPECT_EQ((*event)->object->metadata.name, "p");
  EXPECT_EQ((*event)->object->kind, "");
  EXPECT_EQ(Last().Header("accept"), kAcceptObject);
  EXPECT_EQ(Last().Param("timeout"), "1m0s");
}

TEST_F(Metadata, Deletes) {
  ExpectCall("DELETE", "/api/v1/namespaces/prod/pods/p", JsonReply("{}"));
  EXPECT_THAT(pods_.Delete(ctx_, "p", {.grace_period_seconds = 0}), IsOk());
  // Never protobuf, because servers do not accept it for custom resources.
  EXPECT_EQ(Last().Header("content-type"), "application/json");
  EXPECT_EQ(Last().Header("accept"), "application/vnd.kubernetes.protobuf,application/json");
  EXPECT_EQ(Last().body,
            "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\",\"gracePeriodSeconds\":0}\n");
  ExpectCall("DELETE", "/api/v1/namespaces/prod/pods", JsonReply("{}"));
  EXPECT_THAT(pods_.DeleteCollection(ctx_, {}, {.label_selector = "a=b"}), IsOk());
  EXPECT_EQ(Last().Param("labelSelector"), "a=b");
}

TEST_F(Metadata, Patches) {
  ExpectCall("PATCH", "/api/v1/namespaces/prod/pods/p", JsonReply(kPod));
  EXPECT_THAT(pods_.Patch(ctx_, "p", patch::PatchType::kMerge, "{}"), IsOk());
  EXPECT_EQ(Last().Header("accept"), kAcceptObject);
  EXPECT_EQ(Last().Header("content-type"), "application/merge-patch+json");
  ExpectCall("PATCH", "/api/v1/namespaces/prod/pods/p/status", JsonReply(kPod));
  EXPECT_THAT(pods_.Patch(ctx_, "p", patch::PatchType::kJson, "[]", {}, {"status"}), IsOk());
}

TEST_F(Metadata, NeedsNames) {
  const auto invalid =
      StatusIs(absl::StatusCode::kInvalidArgument, testing::HasSubstr("name may not be empty"));
  EXPECT_THAT(pods_.Get(ctx_, ""), invalid);
  EXPECT_THAT(pods_.Delete(ctx_, ""), invalid);
  EXPECT_THAT(pods_.Patch(ctx_, "", patch::PatchType::kMerge, "{}"), invalid);
}

}  // namespace
}  // namespace kube::metadata
