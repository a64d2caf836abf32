// The code in docs/api-types.md that decodes, encodes and compares. The messages that the guide
// shows are checked here.
#include <memory>
#include <optional>
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
#include "apimachinery/base/status_matchers.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/decode_protobuf.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/codec/deep_size.h"
#include "apimachinery/codec/diff.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/json_to_yaml.h"
#include "apimachinery/codec/list_reader.h"
#include "apimachinery/codec/merge_patch.h"
#include "apimachinery/codec/padded_buffer.h"
#include "apimachinery/codec/projection.h"
#include "apimachinery/codec/reflect.h"
#include "apimachinery/codec/shared_decoder.h"
#include "apimachinery/codec/sharing_store.h"
#include "apimachinery/codec/watch_reader.h"
#include "apimachinery/codec/yaml_documents.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace appsv1 = kube::api::apps::v1;
namespace corev1 = kube::api::core::v1;
namespace metav1 = kube::api::meta::v1;

namespace {

using ::kube::base::IsOk;
using ::kube::base::StatusIs;
using ::testing::ElementsAre;

constexpr absl::string_view kPod =
    R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-0"},)"
    R"("spec":{"containers":[{"name":"main","image":"nginx","resources":{}}]},"status":{}})";

TEST(JsonTest, ThereAndBack) {
  const absl::StatusOr<corev1::Pod> pod = kube::codec::DecodeJson<corev1::Pod>(kPod);
  ASSERT_THAT(pod, IsOk());
  const absl::StatusOr<std::string> json = kube::codec::EncodeJson(*pod);
  EXPECT_THAT(json, kube::base::IsOkAndHolds(std::string(kPod)));
  EXPECT_THAT(kube::codec::EncodeJson(pod->metadata, {.indent = "  "}),
              kube::base::IsOkAndHolds("{\n  \"name\": \"web-0\"\n}"));
}

TEST(JsonTest, Errors) {
  const auto pod =
      kube::codec::DecodeJson<corev1::Pod>("{\"spec\": {\"containers\": [\n  {\"image\": 7}]}}");
  EXPECT_THAT(pod,
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "decode Pod: spec.containers[0].image: want a string (line 2, column 13)"));
}

TEST(JsonTest, Strict) {
  const absl::string_view json = R"({"spec": {"replica": 3}})";
  const auto strict = kube::codec::DecodeJson<appsv1::Deployment>(
      json, {.field_validation = kube::codec::FieldValidation::kStrict});
  EXPECT_THAT(strict, StatusIs(absl::StatusCode::kInvalidArgument,
                               "decode Deployment: unknown field \"spec.replica\""));
  const auto warned = kube::codec::DecodeJsonAndReport<appsv1::Deployment>(json);
  ASSERT_THAT(warned, IsOk());
  EXPECT_THAT(warned->strict_errors, ElementsAre("unknown field \"spec.replica\""));
}

TEST(YamlTest, ManyDocuments) {
  const absl::string_view file =
      "kind: Deployment\nmetadata: {name: web}\nspec: {replicas: 3}\n---\n"
      "kind: Deployment\nmetadata: {name: db}\nspec: {replicas: many}\n";
  absl::Status status;
  std::vector<appsv1::Deployment> deployments;
  const auto read = [&]() -> absl::Status {
    kube::codec::YamlDocuments documents(file);
    while (true) {
      KUBE_ASSIGN_OR_RETURN(const std::optional<kube::codec::YamlDocument> document,
                            documents.Next());
      if (!document.has_value()) return absl::OkStatus();
      KUBE_ASSIGN_OR_RETURN(
          appsv1::Deployment deployment,
          kube::codec::DecodeYaml<appsv1::Deployment>(document->text, {}, document->first_line));
      deployments.push_back(std::move(deployment));
    }
  };
  EXPECT_THAT(read(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "decode Deployment: spec.replicas: want an integer (line 7, column 18)"));
  ASSERT_EQ(deployments.size(), 1u);
  const absl::StatusOr<std::string> json = kube::codec::EncodeJson(deployments[0].metadata);
  ASSERT_THAT(json, IsOk());
  EXPECT_THAT(kube::codec::JsonToYaml(*json), kube::base::IsOkAndHolds("name: web\n"));
}

TEST(ProtobufTest, ThereAndBack) {
  const corev1::Pod pod{.metadata = {.name = "web-0"}};
  const absl::StatusOr<std::string> body =
      kube::codec::EncodeKubernetesProtobuf(pod, {.api_version = "v1", .kind = "Pod"});
  ASSERT_THAT(body, IsOk());
  const auto decoded = kube::codec::DecodeKubernetesProtobuf<corev1::Pod>(*body);
  ASSERT_THAT(decoded, IsOk());
  EXPECT_EQ(decoded->kind, "Pod");
  EXPECT_EQ(decoded->metadata, pod.metadata);
}

TEST(DiffTest, Changes) {
  const appsv1::Deployment before{.metadata = {.name = "web"}, .spec = {.replicas = 2}};
  appsv1::Deployment after = before;
  after.spec.replicas = 3;
  after.metadata.labels["app"] = "web";
  EXPECT_EQ(ToString(kube::codec::Diff(before, after)),
            "metadata.labels[app]: absent -> \"web\"\nspec.replicas: 2 -> 3\n");
  const absl::StatusOr<std::string> patch = kube::codec::MakeMergePatch(before, after);
  EXPECT_THAT(patch, kube::base::IsOkAndHolds(
                         R"({"metadata":{"labels":{"app":"web"}},"spec":{"replicas":3}})"));
  EXPECT_THAT(kube::codec::ApplyMergePatch(before, *patch), kube::base::IsOkAndHolds(after));
}

TEST(PathsTest, ByJsonNames) {
  appsv1::Deployment deployment;
  ASSERT_THAT(kube::codec::SetPath(deployment, "spec.replicas", "3"), IsOk());
  ASSERT_THAT(kube::codec::SetPath(deployment, "metadata.labels[app.kubernetes.io/name]", "web"),
              IsOk());
  const auto replicas = kube::codec::FindPath(deployment, "spec.replicas");
  ASSERT_THAT(replicas, IsOk());
  EXPECT_EQ(replicas->integer(), 3);
  EXPECT_EQ(*deployment.metadata.labels.find("app.kubernetes.io/name"), "web");
}

TEST(SharedTest, Caches) {
  const absl::StatusOr<kube::codec::Projection> projection =
      kube::codec::Projection::Make<corev1::Pod>({.drop = {"metadata.managedFields", "status"}});
  ASSERT_THAT(projection, IsOk());
  kube::codec::SharingStore store;  // one for a cache
  kube::codec::SharedDecoder decoder({.projection = &*projection}, &store);
  const kube::codec::PaddedBuffer json(kPod);
  absl::StatusOr<std::shared_ptr<const corev1::Pod>> pod = decoder.DecodeJson<corev1::Pod>(json);
  ASSERT_THAT(pod, IsOk());
  corev1::Pod mine = **pod;  // a copy to change, with memory of its own
  mine.metadata.name = "web-1";
  EXPECT_EQ((*pod)->metadata.name, "web-0");
  EXPECT_EQ(kube::codec::DeepSize(**pod).owned, 0u);
}

TEST(StreamsTest, List) {
  const absl::string_view body =
      R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[)"
      R"({"metadata":{"name":"web-0"}},{"metadata":{"name":"web-1"}}]})";
  const absl::string_view chunks[] = {body.substr(0, 100), body.substr(100)};
  std::vector<std::shared_ptr<const corev1::Pod>> pods;
  std::string version;
  const auto list = [&]() -> absl::Status {
    kube::codec::SharedDecoder decoder;
    kube::codec::ListReader<corev1::PodList, corev1::Pod> reader(kube::codec::ContentType::kJson,
                                                                 decoder);
    for (const absl::string_view chunk : chunks) {
      KUBE_RETURN_IF_ERROR(reader.Append(chunk, [&](std::shared_ptr<const corev1::Pod> pod) {
        pods.push_back(std::move(pod));
        return absl::OkStatus();
      }));
    }
    KUBE_ASSIGN_OR_RETURN(const corev1::PodList rest, reader.Finish());  // without its items
    version = rest.metadata.resource_version;
    return absl::OkStatus();
  };
  ASSERT_THAT(list(), IsOk());
  ASSERT_EQ(pods.size(), 2u);
  EXPECT_EQ(pods[1]->metadata.name, "web-1");
  EXPECT_EQ(version, "7");
}

TEST(StreamsTest, Watch) {
  const absl::string_view body =
      R"({"type":"ADDED","object":{"metadata":{"name":"web-0"}}}{"type":"ERROR","object":{"code":410}})";
  std::vector<std::string> seen;
  kube::codec::SharedDecoder decoder;
  using Frame = kube::codec::WatchFrame<corev1::Pod, metav1::Status>;
  kube::codec::WatchReader<corev1::Pod, metav1::Status> reader(kube::codec::ContentType::kJson,
                                                               decoder);
  const absl::Status status = reader.Append(body, [&](Frame frame) {
    seen.push_back(frame.type + " " +
                   (frame.status != nullptr ? std::to_string(frame.status->code)
                                            : std::string(frame.object->metadata.name)));
    return absl::OkStatus();
  });
  EXPECT_THAT(status, IsOk());
  EXPECT_TRUE(reader.IsBetweenEvents());  // nothing is lost where the body ends here
  EXPECT_THAT(seen, ElementsAre("ADDED web-0", "ERROR 410"));
}

}  // namespace
