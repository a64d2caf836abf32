#include "clientset/typed/patch_from.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/apps/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/unstructured/testing/at.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/in_process_transport.h"
#include "gtest/gtest.h"

namespace kube::typed {
namespace {

namespace appsv1 = api::apps::v1;
using base::IsOk;
using base::StatusIs;
using Deployments = TypedClient<appsv1::Deployment, appsv1::DeploymentList>;

constexpr Resource kDeployments = {.group = "apps",
                                   .version = "v1",
                                   .plural = "deployments",
                                   .kind = "Deployment",
                                   .built_in = true};

appsv1::Deployment Cached() {
  appsv1::Deployment web;
  web.metadata.name = "web";
  web.metadata.uid = "u1";
  web.metadata.resource_version = "7";
  web.spec.replicas = 1;
  return web;
}

class PatchFromTest : public testing::Test {
 protected:
  const Context ctx_ = {};
  const std::shared_ptr<rest::ScriptedTransport> transport_ =
      std::make_shared<rest::ScriptedTransport>();
  const Deployments deployments_ =
      Deployments(rest::MakeScriptedClient(transport_), kDeployments).Namespace("prod");
};

TEST_F(PatchFromTest, PatchFrom_ChangedField_SendsTheDifferenceWithUidAndVersion) {
  const struct {
    const char* name;
    PatchFromOptions options;
    const char* url;
    const char* body;
  } kRows[] = {
      {"the object",
       {},
       "http://localhost/apis/apps/v1/namespaces/prod/deployments/web",
       R"({"metadata":{"resourceVersion":"7","uid":"u1"},"status":{"replicas":2}})"},
      {"the status",
       {.subresource = "status"},
       "http://localhost/apis/apps/v1/namespaces/prod/deployments/web/status",
       R"({"metadata":{"resourceVersion":"7","uid":"u1"},"status":{"replicas":2}})"},
      {"whatever its version",
       {.patch = {.field_manager = "me"}, .optimistic_lock = false},
       "http://localhost/apis/apps/v1/namespaces/prod/deployments/web?fieldManager=me",
       R"({"metadata":{"uid":"u1"},"status":{"replicas":2}})"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    transport_->Expect({.method = "PATCH"}, rest::JsonReply(R"({"metadata":{"name":"web"}})"));
    const appsv1::Deployment before = Cached();
    appsv1::Deployment after = before;
    after.status.replicas = 2;
    EXPECT_THAT(PatchFrom(ctx_, deployments_, before, after, row.options), IsOk());
    const rest::RecordedRequest sent = transport_->requests().back();
    EXPECT_EQ(sent.url, row.url);
    EXPECT_EQ(sent.Header("content-type"), "application/merge-patch+json");
    EXPECT_EQ(sent.body, row.body);
  }
}

// behaviour.md: CLIENT-22
TEST_F(PatchFromTest, PatchFrom_NoDifference_SendsNoPatch) {
  const absl::StatusOr<appsv1::Deployment> web =
      PatchFrom(ctx_, deployments_, Cached(), Cached(), {.subresource = "status"});
  ASSERT_THAT(web, IsOk());
  EXPECT_EQ(*web, Cached());
  EXPECT_TRUE(transport_->requests().empty());
}

TEST_F(PatchFromTest, PatchFrom_EmptyName_IsInvalidArgument) {
  appsv1::Deployment after = {};
  after.status.replicas = 2;
  EXPECT_THAT(PatchFrom(ctx_, deployments_, appsv1::Deployment(), after),
              StatusIs(absl::StatusCode::kInvalidArgument, "patch: name is required"));
  EXPECT_TRUE(transport_->requests().empty());
}

// behaviour.md: CLIENT-23
TEST_F(PatchFromTest, PatchFrom_NoResourceVersion_IsInvalidArgument) {
  appsv1::Deployment before = Cached();
  before.metadata.resource_version = "";
  appsv1::Deployment after = before;
  after.status.replicas = 2;
  EXPECT_THAT(PatchFrom(ctx_, deployments_, before, after),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "patch web: cannot use OptimisticLock, object does not have any resource "
                       "version we can use"));
  EXPECT_TRUE(transport_->requests().empty());
}

appsv1::Deployment WithImages(const char* a, const char* b) {
  appsv1::Deployment web = Cached();
  web.spec.template_.spec.containers = {{.name = "a", .image = a}, {.name = "b", .image = b}};
  return web;
}

// behaviour.md: CLIENT-21, CLIENT-23
TEST_F(PatchFromTest, EachType_SaysTheDifferenceAndTheVersion) {
  const struct {
    const char* name;
    PatchFromOptions options;
    const char* text;
  } kRows[] = {
      {"strategic merge patch",
       {.type = patch::PatchType::kStrategicMerge},
       R"({"metadata":{"resourceVersion":"7","uid":"u1"},)"
       R"("spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"a"},{"name":"b"}],)"
       R"("containers":[{"image":"2","name":"b"}]}}}})"},
      {"strategic merge patch, whatever its version",
       {.optimistic_lock = false, .type = patch::PatchType::kStrategicMerge},
       R"({"metadata":{"uid":"u1"},)"
       R"("spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"a"},{"name":"b"}],)"
       R"("containers":[{"image":"2","name":"b"}]}}}})"},
      {"JSON patch",
       {.type = patch::PatchType::kJson},
       R"([{"op":"replace","path":"/spec/template/spec/containers/1/image","value":"2"},)"
       R"({"op":"add","path":"/metadata/uid","value":"u1"},)"
       R"({"op":"add","path":"/metadata/resourceVersion","value":"7"}])"},
      {"JSON patch, whatever its version",
       {.optimistic_lock = false, .type = patch::PatchType::kJson},
       R"([{"op":"replace","path":"/spec/template/spec/containers/1/image","value":"2"},)"
       R"({"op":"add","path":"/metadata/uid","value":"u1"}])"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    const absl::StatusOr<ObjectPatch> patch =
        MakePatchFrom(WithImages("1", "1"), WithImages("1", "2"), row.options);
    ASSERT_THAT(patch, IsOk());
    EXPECT_EQ(patch->name, "web");
    EXPECT_EQ(patch->type, row.options.type);
    EXPECT_EQ(patch->text, row.text);

    transport_->Expect({.method = "PATCH"}, rest::JsonReply(R"({"metadata":{"name":"web"}})"));
    EXPECT_THAT(
        PatchFrom(ctx_, deployments_, WithImages("1", "1"), WithImages("1", "2"), row.options),
        IsOk());
    const rest::RecordedRequest sent = transport_->requests().back();
    EXPECT_EQ(sent.Header("content-type"), patch::MediaType(row.options.type));
    EXPECT_EQ(sent.body, row.text);
  }
}

// behaviour.md: CLIENT-22
TEST_F(PatchFromTest, AnObjectThatHasNotChanged_GivesNoPatchOfAnyType) {
  for (const patch::PatchType type :
       {patch::PatchType::kMerge, patch::PatchType::kStrategicMerge, patch::PatchType::kJson}) {
    const absl::StatusOr<ObjectPatch> patch = MakePatchFrom(Cached(), Cached(), {.type = type});
    ASSERT_THAT(patch, IsOk());
    EXPECT_EQ(patch->text, "");
  }
}

// behaviour.md: CLIENT-24
TEST_F(PatchFromTest, TypesThatCannotBe_AreInvalidArguments) {
  EXPECT_THAT(
      MakePatchFrom(WithImages("1", "1"), WithImages("1", "2"), {.type = patch::PatchType::kApply}),
      StatusIs(absl::StatusCode::kInvalidArgument,
               "patch web: an apply configuration is no difference of two objects"));
  unstructured::Unstructured before;
  before.set_name("w");
  before.set_resource_version("1");
  unstructured::Unstructured after = before;
  At(after.object, {"data", "a"}) = "1";
  EXPECT_THAT(MakePatchFrom(before, after, {.type = patch::PatchType::kStrategicMerge}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "patch w: a strategic merge patch needs a type with fields; use a merge "
                       "patch"));
}

// behaviour.md: CLIENT-23
TEST(PatchFrom, EachType_ObjectChangedOnTheServer_IsAConflict) {
  const Context ctx;
  for (const patch::PatchType type :
       {patch::PatchType::kMerge, patch::PatchType::kStrategicMerge, patch::PatchType::kJson}) {
    SCOPED_TRACE(patch::MediaType(type).data());
    apiserver::ApiHandler server;
    const Deployments deployments =
        Deployments(*rest::MakeClient(envtest::InProcessConfig(server)), kDeployments)
            .Namespace("default");
    appsv1::Deployment web = WithImages("1", "1");
    web.metadata.uid = "";
    web.metadata.resource_version = "";
    web.spec.selector.emplace().match_labels = {{"app", "web"}};
    web.spec.template_.metadata.labels = {{"app", "web"}};
    const absl::StatusOr<appsv1::Deployment> before = deployments.Create(ctx, web);
    ASSERT_THAT(before, IsOk());
    appsv1::Deployment after = *before;
    after.spec.replicas = 5;
    const absl::StatusOr<appsv1::Deployment> patched =
        PatchFrom(ctx, deployments, *before, after, {.type = type});
    ASSERT_THAT(patched, IsOk());
    EXPECT_EQ(patched->spec.replicas, 5);

    after.spec.replicas = 6;
    EXPECT_TRUE(
        errors::IsConflict(PatchFrom(ctx, deployments, *before, after, {.type = type}).status()));
    EXPECT_THAT(
        PatchFrom(ctx, deployments, *before, after, {.optimistic_lock = false, .type = type}),
        IsOk());
  }
}

// On a server, a cache that lags behind leads to a conflict, and so does another object of the same
// name.
TEST(PatchFrom, PatchFrom_ObjectChangedOnTheServer_IsAConflict) {
  using Objects = TypedClient<unstructured::Unstructured, unstructured::UnstructuredList>;
  const Context ctx;
  apiserver::ApiHandler server;
  const Objects maps = Objects(*rest::MakeClient(envtest::InProcessConfig(server)),
                               {.version = "v1", .plural = "configmaps", .kind = "ConfigMap"})
                           .Namespace("default");
  unstructured::Unstructured map;
  map.set_name("web");
  const unstructured::Unstructured before = *maps.Create(ctx, map);
  unstructured::Unstructured after = before;
  At(after.object, {"data", "a"}) = "1";
  EXPECT_THAT(PatchFrom(ctx, maps, before, after), IsOk());

  At(after.object, {"data", "a"}) = "2";
  EXPECT_TRUE(errors::IsConflict(PatchFrom(ctx, maps, before, after).status()));
  EXPECT_THAT(PatchFrom(ctx, maps, before, after, {.optimistic_lock = false}), IsOk());

  ASSERT_THAT(maps.Delete(ctx, "web"), IsOk());
  ASSERT_THAT(maps.Create(ctx, map), IsOk());
  EXPECT_TRUE(errors::IsConflict(PatchFrom(ctx, maps, before, after).status()));
  EXPECT_TRUE(
      errors::IsInvalid(PatchFrom(ctx, maps, before, after, {.optimistic_lock = false}).status()))
      << "another object of the same name";
}

}  // namespace
}  // namespace kube::typed
