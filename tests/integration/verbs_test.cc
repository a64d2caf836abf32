// Every verb of the typed client against a real server, in protobuf and in JSON.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/autoscaling/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/warnings.h"
#include "clientset/typed/typed_client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"
#include "tests/integration/real_server.h"

namespace kube::integration {
namespace {

namespace appsv1 = api::apps::v1;
namespace autoscalingv1 = api::autoscaling::v1;
namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

using ::kube::base::IsOk;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using ConfigMaps = typed::TypedClient<corev1::ConfigMap, corev1::ConfigMapList>;
using Deployments = typed::TypedClient<appsv1::Deployment, appsv1::DeploymentList>;

// Remembers the media types of answers.
class ContentTypes final : public httpclient::Transport {
 public:
  explicit ContentTypes(std::shared_ptr<httpclient::Transport> next) : next_(std::move(next)) {}

  absl::StatusOr<httpclient::HttpResponse> RoundTrip(const Context& ctx,
                                                     httpclient::HttpRequest request) override {
    absl::StatusOr<httpclient::HttpResponse> response = next_->RoundTrip(ctx, std::move(request));
    if (response.ok()) {
      base::MutexLock lock(mutex_);
      last_ = std::string(response->headers.Get("content-type").value_or(""));
      http_version_ = response->http_version;
    }
    return response;
  }
  void CloseIdleConnections() override { next_->CloseIdleConnections(); }

  std::string last() const {
    base::MutexLock lock(mutex_);
    return last_;
  }
  int http_version() const {
    base::MutexLock lock(mutex_);
    return http_version_;
  }

 private:
  const std::shared_ptr<httpclient::Transport> next_;
  mutable base::Mutex mutex_;
  std::string last_ ABSL_GUARDED_BY(mutex_);
  int http_version_ ABSL_GUARDED_BY(mutex_) = 0;
};

class Warnings final : public rest::WarningHandler {
 public:
  void HandleWarning(const Context&, const rest::Warning& warning) override {
    base::MutexLock lock(mutex_);
    texts_.push_back(warning.text);
  }
  std::vector<std::string> texts() const {
    base::MutexLock lock(mutex_);
    return texts_;
  }

 private:
  mutable base::Mutex mutex_;
  std::vector<std::string> texts_ ABSL_GUARDED_BY(mutex_);
};

class VerbsTest : public ::testing::TestWithParam<std::string> {
 protected:
  VerbsTest() : client_(Make()), namespace_name_(MakeNamespace(client_)) {}

  rest::Client Make() {
    rest::Config config = ConfigOf();
    config.content_type = GetParam();
    config.warning_handler = warnings_;
    rest::Wrap(config, [this](std::shared_ptr<httpclient::Transport> next) {
      return content_types_ = std::make_shared<ContentTypes>(std::move(next));
    });
    return ClientOf(config);
  }

  ConfigMaps config_maps() const {
    return ConfigMaps(client_, kConfigMaps).Namespace(namespace_name_);
  }
  Deployments deployments() const {
    return Deployments(client_, kDeployments).Namespace(namespace_name_);
  }

  std::shared_ptr<ContentTypes> content_types_;
  const std::shared_ptr<Warnings> warnings_ = std::make_shared<Warnings>();
  const rest::Client client_;
  const std::string namespace_name_;
};

appsv1::Deployment Web() {
  return {.metadata = {.name = "web"},
          .spec = {.replicas = 2,
                   .selector = metav1::LabelSelector{.match_labels = {{"app", "web"}}},
                   .template_ = {.metadata = {.labels = {{"app", "web"}}},
                                 .spec = {.containers = {{.name = "web", .image = "web:1"}}}}}};
}

TEST_P(VerbsTest, CreateGetUpdateDelete) {
  const absl::StatusOr<corev1::ConfigMap> created =
      config_maps().Create(Soon(), {.metadata = {.name = "a"}, .data = {{"k", "1"}}});
  ASSERT_THAT(created.status(), IsOk());
  EXPECT_FALSE(created->metadata.uid.empty());
  EXPECT_TRUE(
      errors::IsAlreadyExists(config_maps().Create(Soon(), {.metadata = {.name = "a"}}).status()));
  EXPECT_TRUE(absl::StartsWith(content_types_->last(), GetParam().empty()
                                                           ? "application/vnd.kubernetes.protobuf"
                                                           : "application/json"))
      << content_types_->last();
  EXPECT_EQ(content_types_->http_version(), 2);

  absl::StatusOr<corev1::ConfigMap> got = config_maps().Get(Soon(), "a");
  ASSERT_THAT(got.status(), IsOk());
  EXPECT_EQ(*got, *created);

  got->data["k"] = "2";
  const absl::StatusOr<corev1::ConfigMap> updated = config_maps().Update(Soon(), *got);
  ASSERT_THAT(updated.status(), IsOk());
  EXPECT_EQ(updated->data.value_or("k", ""), "2");
  EXPECT_TRUE(errors::IsConflict(config_maps().Update(Soon(), *created).status()));

  ASSERT_THAT(config_maps().Delete(Soon(), "a"), IsOk());
  const absl::Status missing = config_maps().Get(Soon(), "a").status();
  EXPECT_TRUE(errors::IsNotFound(missing));
  EXPECT_THAT(std::string(missing.message()), HasSubstr("configmaps \"a\""));
}

TEST_P(VerbsTest, GenerateName) {
  const absl::StatusOr<corev1::ConfigMap> created =
      config_maps().Create(Soon(), {.metadata = {.generate_name = "a-"}});
  ASSERT_THAT(created.status(), IsOk());
  EXPECT_TRUE(absl::StartsWith(std::string(created->metadata.name), "a-"));
}

TEST_P(VerbsTest, ListAndDeleteCollection) {
  for (const char* name : {"a", "b", "c"}) {
    const corev1::ConfigMap config_map = {
        .metadata = {.name = name, .labels = {{"first", name == std::string("a") ? "yes" : "no"}}}};
    ASSERT_THAT(config_maps().Create(Soon(), config_map).status(), IsOk());
  }
  const absl::StatusOr<corev1::ConfigMapList> some =
      config_maps().List(Soon(), {.label_selector = "first=no"});
  ASSERT_THAT(some.status(), IsOk());
  ASSERT_EQ(some->items.size(), 2u);
  EXPECT_EQ(some->items[0].metadata.name, "b");

  const absl::StatusOr<corev1::ConfigMapList> one =
      config_maps().List(Soon(), {.field_selector = "metadata.name=c"});
  ASSERT_THAT(one.status(), IsOk());
  EXPECT_EQ(one->items.size(), 1u);

  const auto page = config_maps().ListPage(Soon(), {.label_selector = "first"});
  ASSERT_THAT(page.status(), IsOk());
  ASSERT_EQ(page->items.size(), 3u);
  EXPECT_EQ(*page->items[1], some->items[0]);

  ASSERT_THAT(config_maps().DeleteCollection(Soon(), {}, {.label_selector = "first=no"}), IsOk());
  const absl::StatusOr<corev1::ConfigMapList> rest =
      config_maps().List(Soon(), {.label_selector = "first"});
  ASSERT_THAT(rest.status(), IsOk());
  EXPECT_EQ(rest->items.size(), 1u);
}

TEST_P(VerbsTest, UpdateStatus) {
  absl::StatusOr<appsv1::Deployment> web = deployments().Create(Soon(), Web());
  ASSERT_THAT(web.status(), IsOk());
  web->spec.replicas = 7;
  web->status.observed_generation = 1;
  const absl::StatusOr<appsv1::Deployment> updated = deployments().UpdateStatus(Soon(), *web);
  ASSERT_THAT(updated.status(), IsOk());
  EXPECT_EQ(updated->status.observed_generation, 1);
  EXPECT_EQ(updated->spec.replicas, 2) << "the status alone is written";
}

TEST_P(VerbsTest, Patches) {
  ASSERT_THAT(deployments().Create(Soon(), Web()).status(), IsOk());
  const auto strategic = deployments().Patch(
      Soon(), "web", patch::PatchType::kStrategicMerge,
      R"({"spec":{"template":{"spec":{"containers":[{"name":"side","image":"s:1"}]}}}})");
  ASSERT_THAT(strategic.status(), IsOk());
  EXPECT_EQ(strategic->spec.template_.spec.containers.size(), 2u);

  const auto merge = deployments().Patch(
      Soon(), "web", patch::PatchType::kMerge,
      R"({"spec":{"template":{"spec":{"containers":[{"name":"web","image":"web:2"}]}}}})");
  ASSERT_THAT(merge.status(), IsOk());
  EXPECT_EQ(merge->spec.template_.spec.containers.size(), 1u);

  const auto json = deployments().Patch(Soon(), "web", patch::PatchType::kJson,
                                        R"([{"op":"replace","path":"/spec/replicas","value":4}])");
  ASSERT_THAT(json.status(), IsOk());
  EXPECT_EQ(json->spec.replicas, 4);
  EXPECT_TRUE(errors::IsInvalid(deployments()
                                    .Patch(Soon(), "web", patch::PatchType::kJson,
                                           R"([{"op":"test","path":"/spec/replicas","value":1}])")
                                    .status()));
}

TEST_P(VerbsTest, Apply) {
  const corev1::ConfigMap mine = {.metadata = {.name = "a"}, .data = {{"k", "1"}}};
  ASSERT_THAT(config_maps().Apply(Soon(), mine, {.field_manager = "me"}).status(), IsOk());
  const corev1::ConfigMap theirs = {.metadata = {.name = "a"}, .data = {{"k", "2"}}};
  const absl::Status conflict =
      config_maps().Apply(Soon(), theirs, {.field_manager = "you"}).status();
  EXPECT_TRUE(errors::IsConflict(conflict));
  EXPECT_TRUE(errors::HasStatusCause(conflict, metav1::kCauseTypeFieldManagerConflict));
  const auto forced = config_maps().Apply(Soon(), theirs, {.force = true, .field_manager = "you"});
  ASSERT_THAT(forced.status(), IsOk());
  EXPECT_EQ(forced->data.value_or("k", ""), "2");
}

TEST_P(VerbsTest, Scale) {
  ASSERT_THAT(deployments().Create(Soon(), Web()).status(), IsOk());
  absl::StatusOr<autoscalingv1::Scale> scale =
      deployments().GetSubresource<autoscalingv1::Scale>(Soon(), "web", "scale");
  ASSERT_THAT(scale.status(), IsOk());
  EXPECT_EQ(scale->spec.replicas, 2);
  scale->spec.replicas = 3;
  scale = deployments().UpdateSubresource(
      Soon(), "web", {.name = "scale", .group = "autoscaling", .version = "v1", .kind = "Scale"},
      *scale);
  ASSERT_THAT(scale.status(), IsOk());
  EXPECT_EQ(scale->spec.replicas, 3);
}

TEST_P(VerbsTest, EditSendsOnlyTheChange) {
  ASSERT_THAT(deployments().Create(Soon(), Web()).status(), IsOk());
  int tries = 0;
  const auto edited = deployments().Edit(Soon(), "web", [&](appsv1::Deployment& web) {
    // Somebody else writes first, once.
    if (++tries == 1) {
      EXPECT_THAT(deployments()
                      .Patch(Soon(), "web", patch::PatchType::kMerge,
                             R"({"metadata":{"labels":{"theirs":"yes"}}})")
                      .status(),
                  IsOk());
    }
    web.spec.replicas = *web.spec.replicas + 1;
    return absl::OkStatus();
  });
  ASSERT_THAT(edited.status(), IsOk());
  EXPECT_EQ(tries, 2) << "the first change was of an old state";
  EXPECT_EQ(edited->spec.replicas, 3);
  EXPECT_EQ(edited->metadata.labels.value_or("theirs", ""), "yes");
}

TEST_P(VerbsTest, DryRun) {
  const auto created =
      config_maps().Create(Soon(), {.metadata = {.name = "a"}}, {.dry_run = {"All"}});
  ASSERT_THAT(created.status(), IsOk());
  EXPECT_FALSE(created->metadata.uid.empty());
  EXPECT_TRUE(errors::IsNotFound(config_maps().Get(Soon(), "a").status()));
}

TEST_P(VerbsTest, FieldValidationAndWarnings) {
  ASSERT_THAT(config_maps().Create(Soon(), {.metadata = {.name = "a"}}).status(), IsOk());
  const char bogus[] = R"({"bogus":1})";
  ASSERT_THAT(config_maps().Patch(Soon(), "a", patch::PatchType::kMerge, bogus).status(), IsOk());
  EXPECT_THAT(warnings_->texts(), ElementsAre("unknown field \"bogus\""));
  const absl::Status strict =
      config_maps()
          .Patch(Soon(), "a", patch::PatchType::kMerge, bogus, {.field_validation = "Strict"})
          .status();
  EXPECT_TRUE(errors::IsInvalid(strict)) << strict;
}

TEST_P(VerbsTest, Preconditions) {
  ASSERT_THAT(config_maps().Create(Soon(), {.metadata = {.name = "a"}}).status(), IsOk());
  metav1::DeleteOptions options;
  options.preconditions.emplace().uid = "0a0a0a0a-0000-0000-0000-000000000000";
  EXPECT_TRUE(errors::IsConflict(config_maps().Delete(Soon(), "a", options)));
}

TEST_P(VerbsTest, Unstructured) {
  const typed::TypedClient<unstructured::Unstructured, unstructured::UnstructuredList> objects(
      client_, kConfigMaps);
  ASSERT_THAT(config_maps().Create(Soon(), {.metadata = {.name = "a"}}).status(), IsOk());
  const auto got = objects.Namespace(namespace_name_).Get(Soon(), "a");
  ASSERT_THAT(got.status(), IsOk());
  EXPECT_EQ(got->kind(), "ConfigMap");
  const auto list = objects.Namespace(namespace_name_).List(Soon());
  ASSERT_THAT(list.status(), IsOk());
  EXPECT_FALSE(list->items.empty());
}

TEST_P(VerbsTest, Deadline) {
  const absl::Status late =
      config_maps().List(WithTimeout(Context(), absl::ZeroDuration())).status();
  EXPECT_EQ(late.code(), absl::StatusCode::kDeadlineExceeded);
}

INSTANTIATE_TEST_SUITE_P(Formats, VerbsTest, ::testing::Values("", "application/json"),
                         [](const auto& format) {
                           return format.param.empty() ? "Protobuf" : "Json";
                         });

}  // namespace
}  // namespace kube::integration
