// The code in docs/api-types.md that decodes, encodes and compares. The messages that the guide
// shows are checked here.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/decode_protobuf.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/codec/deep_size.h"
#include "apimachinery/codec/diff.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/projection.h"
#include "apimachinery/codec/reflect.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/sharing/sharing_store.h"
#include "apimachinery/codec/stream/list_reader.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/stream/watch_reader.h"
#include "apimachinery/codec/yaml/json_to_yaml.h"
#include "apimachinery/codec/yaml/yaml_documents.h"
#include "apimachinery/patch/merge_patch.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace appsv1 = kube::api::apps::v1;
namespace codec = kube::codec;
namespace corev1 = kube::api::core::v1;
namespace metav1 = kube::api::meta::v1;
namespace patch = kube::patch;

namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr absl::string_view kPod =
    R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-0"},)"
    R"("spec":{"containers":[{"name":"main","image":"nginx","resources":{}}]},"status":{}})";

TEST(JsonTest, ThereAndBack) {
  const absl::StatusOr<corev1::Pod> pod = codec::DecodeJson<corev1::Pod>(kPod);
  ASSERT_THAT(pod, IsOk());
  const absl::StatusOr<std::string> json = codec::EncodeJson(*pod);
  EXPECT_THAT(json, IsOkAndHolds(std::string(kPod)));
  EXPECT_THAT(codec::EncodeJson(pod->metadata, {.indent = "  "}),
              IsOkAndHolds("{\n  \"name\": \"web-0\"\n}"));
}

TEST(JsonTest, ArrivesInPieces) {
  const std::vector<absl::string_view> chunks = {kPod.substr(0, 20), kPod.substr(20)};
  codec::PaddedBuffer body;
  for (const absl::string_view chunk : chunks) body.Append(chunk);
  const absl::StatusOr<corev1::Pod> pod = codec::DecodeJson<corev1::Pod>(body);
  ASSERT_THAT(pod, IsOk());
  EXPECT_EQ(pod->metadata.name, "web-0");
}

TEST(JsonTest, Errors) {
  const auto pod =
      codec::DecodeJson<corev1::Pod>("{\"spec\": {\"containers\": [\n  {\"image\": 7}]}}");
  EXPECT_THAT(
      pod, StatusIs(absl::StatusCode::kInvalidArgument,
                    "decode Pod: spec.containers[0].image: expected a string (line 2, column 13)"));
}

TEST(JsonTest, Strict) {
  const absl::string_view json = R"({"spec": {"replica": 3}})";
  const auto strict = codec::DecodeJson<appsv1::Deployment>(
      json, {.field_validation = codec::FieldValidation::kStrict});
  EXPECT_THAT(strict, StatusIs(absl::StatusCode::kInvalidArgument,
                               "decode Deployment: unknown field \"spec.replica\""));
  const auto warned = codec::DecodeJsonAndReport<appsv1::Deployment>(json);
  ASSERT_THAT(warned, IsOk());
  EXPECT_THAT(warned->strict_errors, ElementsAre("unknown field \"spec.replica\""));
}

absl::StatusOr<std::vector<appsv1::Deployment>> ReadAll(absl::string_view file) {
  std::vector<appsv1::Deployment> deployments;
  codec::YamlDocuments documents(file);
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const auto document, documents.Next());
    if (!document.has_value()) return deployments;
    KUBE_ASSIGN_OR_RETURN(auto deployment, codec::DecodeYaml<appsv1::Deployment>(
                                               document->text, {}, document->first_line));
    deployments.push_back(std::move(deployment));
  }
}

TEST(YamlTest, ManyDocuments) {
  const std::string web = "kind: Deployment\nmetadata: {name: web}\nspec: {replicas: 3}\n";
  EXPECT_THAT(ReadAll(web), IsOkAndHolds(SizeIs(1)));
  EXPECT_THAT(
      ReadAll(web + "---\nkind: Deployment\nspec: {replicas: many}\n"),
      StatusIs(absl::StatusCode::kInvalidArgument,
               "decode Deployment: spec.replicas: expected an integer (line 6, column 18)"));
}

absl::StatusOr<std::string> ToYaml(const corev1::Pod& pod) {
  KUBE_ASSIGN_OR_RETURN(const std::string json, codec::EncodeJson(pod));
  return codec::JsonToYaml(json);  // what kubectl get -o yaml prints
}

TEST(YamlTest, Out) {
  EXPECT_THAT(ToYaml({.metadata = {.name = "web-0"}}),
              IsOkAndHolds("metadata:\n  name: web-0\nspec:\n  containers: null\nstatus: {}\n"));
}

TEST(ProtobufTest, ThereAndBack) {
  const corev1::Pod pod{.metadata = {.name = "web-0"}};
  const absl::StatusOr<std::string> body =
      codec::EncodeKubernetesProtobuf(pod, {.api_version = "v1", .kind = "Pod"});
  ASSERT_THAT(body, IsOk());
  const auto decoded = codec::DecodeKubernetesProtobuf<corev1::Pod>(*body);
  ASSERT_THAT(decoded, IsOk());
  EXPECT_EQ(decoded->kind, "Pod");
  EXPECT_EQ(decoded->metadata, pod.metadata);
}

TEST(DiffTest, Changes) {
  const appsv1::Deployment before{.metadata = {.name = "web"}, .spec = {.replicas = 2}};
  appsv1::Deployment after = before;
  after.spec.replicas = 3;
  after.metadata.labels["app"] = "web";
  EXPECT_EQ(ToString(codec::Diff(before, after)),
            "metadata.labels[app]: absent -> \"web\"\nspec.replicas: 2 -> 3\n");
  const absl::StatusOr<std::string> merge_patch = patch::MakeMergePatch(before, after);
  EXPECT_THAT(merge_patch,
              IsOkAndHolds(R"({"metadata":{"labels":{"app":"web"}},"spec":{"replicas":3}})"));
  EXPECT_THAT(patch::ApplyMergePatch(before, *merge_patch), IsOkAndHolds(after));
}

TEST(PathsTest, ByJsonNames) {
  appsv1::Deployment deployment;
  EXPECT_THAT(codec::SetPath(deployment, "spec.replicas", "3"), IsOk());
  EXPECT_THAT(codec::SetPath(deployment, "metadata.labels[app.kubernetes.io/name]", "web"), IsOk());
  const absl::StatusOr<codec::ValueView> replicas = codec::FindPath(deployment, "spec.replicas");
  EXPECT_EQ(replicas->integer(), 3);
  EXPECT_EQ(*deployment.metadata.labels.find("app.kubernetes.io/name"), "web");
}

TEST(SharedTest, Caches) {
  const absl::StatusOr<codec::Projection> projection =
      codec::Projection::Make<corev1::Pod>({.drop = {"metadata.managedFields", "status"}});
  ASSERT_THAT(projection, IsOk());
  codec::SharingStore store;  // one for a cache
  codec::SharedDecoder decoder({.projection = &*projection}, &store);
  const codec::PaddedBuffer json(kPod);
  absl::StatusOr<std::shared_ptr<const corev1::Pod>> pod = decoder.DecodeJson<corev1::Pod>(json);
  ASSERT_THAT(pod, IsOk());
  corev1::Pod mine = **pod;  // a copy to change, with memory of its own
  mine.metadata.name = "web-1";
  EXPECT_EQ((*pod)->metadata.name, "web-0");
  EXPECT_EQ(codec::DeepSize(**pod).owned, 0u);
}

// All pods of a list, and the version that it had.
absl::StatusOr<std::string> ReadPods(const std::vector<absl::string_view>& chunks,
                                     std::vector<std::shared_ptr<const corev1::Pod>>& pods) {
  codec::SharedDecoder decoder;
  codec::ListReader<corev1::PodList, corev1::Pod> reader(codec::ContentType::kJson, decoder);
  for (const absl::string_view chunk : chunks) {  // as they come from the network
    KUBE_RETURN_IF_ERROR(reader.Append(chunk, [&](std::shared_ptr<const corev1::Pod> pod) {
      pods.push_back(std::move(pod));
      return absl::OkStatus();
    }));
  }
  KUBE_ASSIGN_OR_RETURN(const corev1::PodList list, reader.Finish());  // without its items
  return list.metadata.resource_version;
}

TEST(StreamsTest, List) {
  const absl::string_view body =
      R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[)"
      R"({"metadata":{"name":"web-0"}},{"metadata":{"name":"web-1"}}]})";
  std::vector<std::shared_ptr<const corev1::Pod>> pods;
  EXPECT_THAT(ReadPods({body.substr(0, 100), body.substr(100)}, pods), IsOkAndHolds("7"));
  ASSERT_THAT(pods, SizeIs(2));
  EXPECT_EQ(pods[1]->metadata.name, "web-1");
}

TEST(StreamsTest, Watch) {
  const absl::string_view body =
      R"({"type":"ADDED","object":{"metadata":{"name":"web-0"}}}{"type":"ERROR","object":{"message":"too old"}})";
  std::vector<std::string> seen;
  codec::SharedDecoder decoder;
  using Frame = codec::WatchFrame<corev1::Pod, metav1::Status>;
  codec::WatchReader<corev1::Pod, metav1::Status> reader(codec::ContentType::kJson, decoder);
  const absl::Status status = reader.Append(body, [&](Frame frame) {
    if (frame.status != nullptr) return absl::AbortedError(frame.status->message.view());
    if (frame.object != nullptr) seen.push_back(frame.type + " " + frame.object->metadata.name);
    return absl::OkStatus();
  });
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kAborted, "too old"));
  EXPECT_TRUE(reader.IsBetweenEvents());  // nothing is lost where the body ends here
  EXPECT_THAT(seen, ElementsAre("ADDED web-0"));
}

}  // namespace
