#include "clientset/generic/client.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.applies.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "api/policy/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/meta/finalizers.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/restmapper/default_rest_mapper.h"
#include "apimachinery/restmapper/errors.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/schema/missing_kind.h"
#include "apimachinery/types/apply_of.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/testing/at.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apiserver/handler.h"
#include "clientset/generic/call.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/kubernetes/policy/v1/client.h"
#include "clientset/rest/client.h"
#include "clientset/typed/reader.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::generic {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
namespace policyv1 = api::policy::v1;
using base::IsOk;
using base::StatusIs;
using metav1::PartialObjectMetadata;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using unstructured::Unstructured;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

schema::GroupVersionKind CoreKind(absl::string_view kind) {
  return {.group = "", .version = "v1", .kind = std::string(kind)};
}

std::shared_ptr<const restmapper::RestMapper> MakeMapper() {
  auto mapper = std::make_shared<restmapper::DefaultRestMapper>(
      std::vector<schema::GroupVersion>{{.group = "", .version = "v1"}});
  mapper->Add(CoreKind("ConfigMap"), Scope::kNamespaced);
  mapper->Add(CoreKind("Node"), Scope::kCluster);
  return mapper;
}

corev1::ConfigMap MapOf(absl::string_view name, absl::string_view namespace_name = "default") {
  return {.metadata = {.name = name, .namespace_ = namespace_name}};
}

meta::ObjectName InDefault(absl::string_view name) {
  return {.namespace_name = "default", .name = std::string(name)};
}

template <typename K>
std::vector<std::string> NamesOf(const std::vector<std::shared_ptr<const K>>& objects) {
  std::vector<std::string> names;
  for (const std::shared_ptr<const K>& object : objects) {
    names.push_back(meta::ObjectNameOf(*object).name);
  }
  return names;
}

// ---- the examples of the header

template <generic::AnyKind K>
absl::Status Mark(const Context& ctx, const generic::Client& client, const K& object) {
  K after = object;
  meta::AddFinalizer(after, "example.com/mark");
  return client.PatchFrom(ctx, object, after).status();
}

absl::Status ReadBoth(const Context& ctx, const Client& client, const meta::ObjectName& name) {
  const schema::GroupVersionKind kWidget = CoreKind("ConfigMap");
  KUBE_ASSIGN_OR_RETURN(const auto map, client.Get<corev1::ConfigMap>(ctx, name));
  KUBE_ASSIGN_OR_RETURN(const auto widget, client.Get<Unstructured>(ctx, kWidget, name));
  EXPECT_EQ(map->metadata.uid, widget->uid());
  return absl::OkStatus();
}

absl::Status ApplySettings(const Context& ctx, const Client& client,
                           const ApplyOf<corev1::ConfigMap>& settings) {
  return client.Apply<corev1::ConfigMap>(ctx, settings, {.force = true}).status();
}

class ClientTest : public testing::Test {
 protected:
  // Returns the requests since the last call, such as "patch" or "patch /status".
  std::vector<std::string> Requests() {
    std::vector<std::string> texts;
    for (const apiserver::LoggedRequest& logged : server_.Requests()) {
      texts.push_back(
          absl::StrCat(logged.verb, logged.subresource.empty() ? "" : " /", logged.subresource));
    }
    server_.ClearRequests();
    return texts;
  }
  // Returns the paths and queries of the requests since the last call.
  std::vector<std::string> Targets() {
    std::vector<std::string> targets;
    for (const apiserver::LoggedRequest& logged : server_.Requests()) {
      targets.push_back(logged.target);
    }
    server_.ClearRequests();
    return targets;
  }
  bool Exists(absl::string_view name) const {
    return client_.Get<corev1::ConfigMap>(ctx_, InDefault(name)).ok();
  }

  const Context ctx_ = {};
  apiserver::ApiHandler server_;
  const rest::Client rest_ = *rest::MakeClient(envtest::InProcessConfig(server_));
  const Client client_ = Client(rest_, MakeMapper());
};

// behaviour.md: CLIENT-7, CLIENT-9, CLIENT-14, CLIENT-32
TEST_F(ClientTest, EachVerb_OfAKindWithAType) {
  const absl::StatusOr<corev1::ConfigMap> created = client_.Create(ctx_, MapOf("a"));
  ASSERT_THAT(created, IsOk());
  EXPECT_NE(created->metadata.uid, "");
  EXPECT_TRUE(errors::IsAlreadyExists(client_.Create(ctx_, MapOf("a")).status()));

  corev1::ConfigMap changed = *created;
  changed.data["x"] = "1";
  ASSERT_THAT(client_.Update(ctx_, changed), IsOk());
  EXPECT_EQ(changed.metadata.resource_version, created->metadata.resource_version)
      << "the caller's object stays as it is";
  EXPECT_TRUE(errors::IsConflict(client_.Update(ctx_, changed).status()));
  ASSERT_THAT(client_.Patch(ctx_, MapOf("a"), patch::PatchType::kMerge, R"({"data":{"y":"2"}})"),
              IsOk());

  const auto got = client_.Get<corev1::ConfigMap>(ctx_, InDefault("a"));
  ASSERT_THAT(got, IsOk());
  EXPECT_EQ((*got)->data.size(), 2u);
  EXPECT_EQ((*got)->kind, "") << "the type says it";
  corev1::ConfigMap after = **got;
  after.data["z"] = "3";
  const absl::StatusOr<corev1::ConfigMap> patched = client_.PatchFrom(ctx_, **got, after);
  ASSERT_THAT(patched, IsOk());
  EXPECT_EQ(patched->data.size(), 3u);
  EXPECT_THAT(Mark(ctx_, client_, *patched), IsOk());
  EXPECT_THAT(client_.Patch(ctx_, MapOf("a"), patch::PatchType::kMerge,
                            R"({"metadata":{"finalizers":null}})"),
              IsOk());

  const auto listed = client_.List<corev1::ConfigMap>(ctx_, {.namespace_name = "default"});
  ASSERT_THAT(listed, IsOk());
  EXPECT_THAT(NamesOf(*listed), Contains("a"));

  EXPECT_THAT(client_.Delete(ctx_, MapOf("a")), IsOk());
  const absl::Status gone = client_.Delete(ctx_, MapOf("a"));
  EXPECT_TRUE(errors::IsNotFound(gone));
  EXPECT_THAT(errors::IgnoreNotFound(gone), IsOk());
  EXPECT_TRUE(errors::IsNotFound(client_.Get<corev1::ConfigMap>(ctx_, InDefault("a")).status()));
}

TEST_F(ClientTest, AsInTheHeader) {
  const Client& client = client_;
  const generic::Client checked = client.WithFieldOwner("tool").DryRun();
  const ApplyOf<corev1::ConfigMap> settings = {
      .metadata = {{.name = "a", .namespace_ = "default"}}};
  EXPECT_THAT(ApplySettings(ctx_, checked, settings), IsOk());
  EXPECT_FALSE(Exists("a"));
  EXPECT_THAT(ApplySettings(ctx_, client.WithFieldOwner("tool"), settings), IsOk());
  EXPECT_THAT(ReadBoth(ctx_, client, InDefault("a")), IsOk());
}

TEST_F(ClientTest, PatchFrom_WithoutADifference_SendsNothing) {
  const absl::StatusOr<corev1::ConfigMap> created = client_.Create(ctx_, MapOf("a"));
  ASSERT_THAT(created, IsOk());
  server_.ClearRequests();
  EXPECT_THAT(client_.PatchFrom(ctx_, *created, *created), IsOk());
  EXPECT_THAT(Requests(), IsEmpty());
}

// behaviour.md: CLIENT-17, CLIENT-19
TEST_F(ClientTest, DeleteAll_DeletesWhatIsSelectedInOneNamespace) {
  for (const absl::string_view name : {"a", "b", "c"}) {
    corev1::ConfigMap map = MapOf(name);
    if (name != "c") map.metadata.labels = {{"app", "web"}};
    ASSERT_THAT(client_.Create(ctx_, map), IsOk());
  }
  EXPECT_THAT(client_.DeleteAll<corev1::ConfigMap>(
                  ctx_, {.namespace_name = "default", .selector = labels::Nothing()}),
              IsOk());
  EXPECT_TRUE(Exists("a"));
  EXPECT_THAT(client_.DeleteAll<corev1::ConfigMap>(ctx_),
              StatusIs(kInvalid, "delete configmaps: a namespace is required"));
  EXPECT_THAT(client_.DeleteAll<corev1::ConfigMap>(
                  ctx_, {.namespace_name = "default", .selector = *labels::Parse("app=web")}),
              IsOk());
  EXPECT_FALSE(Exists("a"));
  EXPECT_FALSE(Exists("b"));
  EXPECT_TRUE(Exists("c"));
  EXPECT_THAT(client_.DeleteAll(ctx_, CoreKind("ConfigMap"), {.namespace_name = "default"}),
              IsOk());
  EXPECT_FALSE(Exists("c"));
}

TEST_F(ClientTest, List_OfASelectorThatMatchesNothing_SendsNothing) {
  ASSERT_THAT(client_.Create(ctx_, MapOf("a")), IsOk());
  server_.ClearRequests();
  const auto listed = client_.List<corev1::ConfigMap>(ctx_, {.selector = labels::Nothing()});
  ASSERT_THAT(listed, IsOk());
  EXPECT_THAT(*listed, IsEmpty());
  EXPECT_THAT(Requests(), IsEmpty());
}

// behaviour.md: CLIENT-26
TEST_F(ClientTest, Apply_NeedsAManager_AndTakesFieldsByForce) {
  const Client mine = client_.Namespaced("default");
  const ApplyOf<corev1::ConfigMap> blue = {.metadata = {{.name = "a"}},
                                           .data = {{"colour", "blue"}}};
  EXPECT_TRUE(errors::IsInvalid(mine.Apply<corev1::ConfigMap>(ctx_, blue).status()));
  const absl::StatusOr<corev1::ConfigMap> applied =
      mine.WithFieldOwner("one").Apply<corev1::ConfigMap>(ctx_, blue);
  ASSERT_THAT(applied, IsOk());
  ASSERT_EQ(applied->metadata.managed_fields.size(), 1u);
  EXPECT_EQ(applied->metadata.managed_fields[0].manager, "one");

  const ApplyOf<corev1::ConfigMap> red = {.metadata = {{.name = "a"}}, .data = {{"colour", "red"}}};
  const Client other = mine.WithFieldOwner("two");
  EXPECT_TRUE(errors::IsConflict(other.Apply<corev1::ConfigMap>(ctx_, red).status()));
  EXPECT_THAT(other.Apply<corev1::ConfigMap>(ctx_, red, {.force = true}), IsOk());
}

TEST_F(ClientTest, Apply_OfAnUnstructured_MustNotHaveManagedFields) {
  Unstructured map;
  map.set_gvk(CoreKind("ConfigMap"));
  map.set_name("a");
  map.set_labels({{"colour", "blue"}});
  const Client mine = client_.Namespaced("default").WithFieldOwner("tool");
  const absl::StatusOr<Unstructured> applied = mine.Apply(ctx_, map);
  ASSERT_THAT(applied, IsOk());
  EXPECT_TRUE(Exists("a"));
  EXPECT_THAT(
      mine.Apply(ctx_, *applied),
      StatusIs(kInvalid, "apply \"a\": cannot apply an object with managed fields already set"));
}

// ---- kinds that are known when the program runs

TEST_F(ClientTest, EachVerb_OfAnUnstructured) {
  Unstructured map;
  map.set_gvk(CoreKind("ConfigMap"));
  map.set_name("a");
  map.set_namespace("default");
  const absl::StatusOr<Unstructured> created = client_.Create(ctx_, map);
  ASSERT_THAT(created, IsOk());
  EXPECT_EQ(created->kind(), "ConfigMap");
  Unstructured changed = *created;
  At(changed.object, {"data", "x"}) = "1";
  ASSERT_THAT(client_.Update(ctx_, changed), IsOk());
  const auto got = client_.Get<Unstructured>(ctx_, CoreKind("ConfigMap"), InDefault("a"));
  ASSERT_THAT(got, IsOk());
  EXPECT_EQ((*got)->kind(), "ConfigMap");
  EXPECT_THAT(Mark(ctx_, client_, **got), IsOk());
  EXPECT_THAT(
      client_.Patch(ctx_, map, patch::PatchType::kMerge, R"({"metadata":{"finalizers":null}})"),
      IsOk());
  const auto listed =
      client_.List<Unstructured>(ctx_, CoreKind("ConfigMap"), {.namespace_name = "default"});
  ASSERT_THAT(listed, IsOk());
  EXPECT_THAT(NamesOf(*listed), Contains("a"));
  EXPECT_THAT(client_.Delete(ctx_, map), IsOk());
  EXPECT_FALSE(Exists("a"));
}

// behaviour.md: CLIENT-11
TEST_F(ClientTest, AnUnstructured_WithoutAKindOrAMapper_IsRefused) {
  Unstructured nameless;
  nameless.set_name("a");
  EXPECT_TRUE(schema::IsMissingKind(client_.Delete(ctx_, nameless)));
  nameless.set_kind("ConfigMap");
  EXPECT_TRUE(schema::IsMissingVersion(client_.Delete(ctx_, nameless)));
  Unstructured widget;
  widget.set_gvk({.group = "example.com", .version = "v1", .kind = "Widget"});
  EXPECT_TRUE(restmapper::IsNoMatch(client_.Delete(ctx_, widget)));
  EXPECT_THAT(Client(rest_).Delete(ctx_, widget),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("without a REST mapper")));
  EXPECT_THAT(Requests(), IsEmpty());
}

// behaviour.md: CLIENT-10
TEST_F(ClientTest, MetadataOnly_IsReadPatchedAndDeleted_ButNeitherCreatedNorUpdated) {
  ASSERT_THAT(client_.Create(ctx_, MapOf("a")), IsOk());
  const auto got = client_.Get<PartialObjectMetadata>(ctx_, CoreKind("ConfigMap"), InDefault("a"));
  ASSERT_THAT(got, IsOk());
  EXPECT_EQ((*got)->kind, "ConfigMap");
  EXPECT_EQ((*got)->api_version, "v1");
  EXPECT_THAT(Mark(ctx_, client_, **got), IsOk());
  const auto listed = client_.List<PartialObjectMetadata>(ctx_, CoreKind("ConfigMap"),
                                                          {.namespace_name = "default"});
  ASSERT_THAT(listed, IsOk());
  EXPECT_THAT(NamesOf(*listed), Contains("a"));
  for (const auto& each : *listed) EXPECT_EQ(each->kind, "ConfigMap");

  const absl::StatusOr<PartialObjectMetadata> patched =
      client_.Patch(ctx_, **got, patch::PatchType::kMerge, R"({"metadata":{"finalizers":null}})");
  ASSERT_THAT(patched, IsOk());
  EXPECT_EQ(patched->kind, "ConfigMap");
  EXPECT_THAT(client_.Create(ctx_, **got), StatusIs(kInvalid, "cannot create using only metadata"));
  EXPECT_THAT(client_.Update(ctx_, **got),
              StatusIs(kInvalid, "cannot update using only metadata -- did you mean to patch?"));
  EXPECT_THAT(
      client_.Subresource("status").Update(ctx_, **got),
      StatusIs(kInvalid, "cannot update status using only metadata -- did you mean to patch?"));
  EXPECT_THAT(client_.Delete(ctx_, *patched), IsOk());
  EXPECT_FALSE(Exists("a"));
}

// ---- clients with one more setting

// behaviour.md: CLIENT-31
TEST_F(ClientTest, Namespaced_SetsTheNamespace_AndRefusesOthers) {
  const Client mine = client_.Namespaced("default");
  const absl::StatusOr<corev1::ConfigMap> created = mine.Create(ctx_, MapOf("a", ""));
  ASSERT_THAT(created, IsOk());
  EXPECT_EQ(created->metadata.namespace_, "default");
  EXPECT_THAT(mine.Get<corev1::ConfigMap>(ctx_, {.namespace_name = "", .name = "a"}), IsOk());

  const absl::string_view kOther =
      "namespace other of the object a does not match the namespace default on the client";
  const corev1::ConfigMap other = MapOf("a", "other");
  server_.ClearRequests();
  EXPECT_THAT(mine.Create(ctx_, other), StatusIs(kInvalid, std::string(kOther)));
  EXPECT_THAT(mine.Update(ctx_, other), StatusIs(kInvalid, std::string(kOther)));
  EXPECT_THAT(mine.Patch(ctx_, other, patch::PatchType::kMerge, "{}"),
              StatusIs(kInvalid, std::string(kOther)));
  EXPECT_THAT(mine.Delete(ctx_, other), StatusIs(kInvalid, std::string(kOther)));
  EXPECT_THAT(mine.Get<corev1::ConfigMap>(ctx_, {.namespace_name = "other", .name = "a"}),
              StatusIs(kInvalid,
                       "namespace other provided for the object a does not match the namespace "
                       "default on the client"));
  EXPECT_THAT(
      mine.Apply<corev1::ConfigMap>(ctx_, {.metadata = {{.name = "a", .namespace_ = "other"}}}),
      StatusIs(kInvalid, HasSubstr("provided for the object a does not match")));
  EXPECT_THAT(Requests(), IsEmpty());
}

// behaviour.md: CLIENT-31
TEST_F(ClientTest, Namespaced_ListsAndCollectionsAreOfItsNamespace) {
  const Client mine = client_.Namespaced("default");
  ASSERT_THAT(client_.Create(ctx_, MapOf("a", "kube-system")), IsOk());
  ASSERT_THAT(client_.Create(ctx_, MapOf("b")), IsOk());
  const auto listed = mine.List<corev1::ConfigMap>(ctx_, {.namespace_name = "kube-system"});
  ASSERT_THAT(listed, IsOk());
  EXPECT_THAT(NamesOf(*listed), Contains("b"));
  EXPECT_THAT(NamesOf(*listed), Not(Contains("a")));
  EXPECT_THAT(mine.DeleteAll<corev1::ConfigMap>(ctx_, {.namespace_name = "kube-system"}), IsOk());
  EXPECT_FALSE(Exists("b"));
  EXPECT_THAT(client_.Get<corev1::ConfigMap>(ctx_, {.namespace_name = "kube-system", .name = "a"}),
              IsOk());
}

// behaviour.md: CLIENT-31
TEST_F(ClientTest, Namespaced_ClusterScopedKindsPass) {
  const Client mine = client_.Namespaced("default");
  ASSERT_THAT(mine.Create(ctx_, corev1::Node{.metadata = {.name = "n"}}), IsOk());
  EXPECT_THAT(mine.Get<corev1::Node>(ctx_, {.namespace_name = "other", .name = "n"}), IsOk());
  EXPECT_THAT(mine.Get<Unstructured>(ctx_, CoreKind("Node"), {.namespace_name = "", .name = "n"}),
              IsOk());
  EXPECT_THAT(mine.Delete(ctx_, corev1::Node{.metadata = {.name = "n", .namespace_ = "other"}}),
              StatusIs(kInvalid));
}

TEST_F(ClientTest, WithoutANamespace_NothingIsSent) {
  server_.ClearRequests();
  EXPECT_THAT(client_.Create(ctx_, MapOf("a", "")),
              StatusIs(kInvalid, HasSubstr("an empty namespace may not be set during creation")));
  EXPECT_THAT(client_.Delete(ctx_, MapOf("a", "")),
              StatusIs(kInvalid, HasSubstr("when a resource name is provided")));
  EXPECT_THAT(Requests(), IsEmpty());
}

// behaviour.md: CLIENT-30
TEST_F(ClientTest, DryRun_StoresNothing_WhateverTheCallSays) {
  ASSERT_THAT(client_.Create(ctx_, MapOf("old")), IsOk());
  const Client dry = client_.DryRun().WithFieldOwner("tool");
  const absl::StatusOr<corev1::ConfigMap> created = dry.Create(ctx_, MapOf("new"), {.dry_run = {}});
  ASSERT_THAT(created, IsOk());
  EXPECT_NE(created->metadata.uid, "") << "the answer is that of a real write";
  corev1::ConfigMap changed = MapOf("old");
  changed.data["x"] = "1";
  const absl::StatusOr<corev1::ConfigMap> updated = dry.Update(ctx_, changed);
  ASSERT_THAT(updated, IsOk());
  EXPECT_EQ(updated->data.size(), 1u);
  EXPECT_THAT(dry.Patch(ctx_, MapOf("old"), patch::PatchType::kMerge, R"({"data":{"y":"2"}})"),
              IsOk());
  EXPECT_THAT(
      dry.Namespaced("default").Apply<corev1::ConfigMap>(ctx_, {.metadata = {{.name = "applied"}}}),
      IsOk());
  EXPECT_THAT(dry.Delete(ctx_, MapOf("old")), IsOk());
  EXPECT_THAT(dry.DeleteAll<corev1::ConfigMap>(ctx_, {.namespace_name = "default"}), IsOk());

  EXPECT_FALSE(Exists("new"));
  EXPECT_FALSE(Exists("applied"));
  const auto old = client_.Get<corev1::ConfigMap>(ctx_, InDefault("old"));
  ASSERT_THAT(old, IsOk());
  EXPECT_EQ((*old)->data.size(), 0u);
}

// behaviour.md: CLIENT-16, CLIENT-30
TEST_F(ClientTest, FieldOwnerAndValidation_AreThoseOfTheCallIfItSaysThem) {
  const Client mine = client_.WithFieldOwner("tool").WithFieldValidation("Strict");
  ASSERT_THAT(mine.Create(ctx_, MapOf("a")), IsOk());
  ASSERT_THAT(mine.Patch(ctx_, MapOf("a"), patch::PatchType::kMerge, R"({"data":{"y":"2"}})"),
              IsOk());
  EXPECT_THAT(Targets(), testing::Each(testing::AllOf(HasSubstr("fieldManager=tool"),
                                                      HasSubstr("fieldValidation=Strict"))));
  ASSERT_THAT(mine.Create(ctx_, MapOf("b"), {.field_manager = "own", .field_validation = "Warn"}),
              IsOk());
  EXPECT_THAT(Targets(), ElementsAre(testing::AllOf(HasSubstr("fieldManager=own"),
                                                    HasSubstr("fieldValidation=Warn"))));
  ASSERT_THAT(mine.WithFieldOwner("last").Create(ctx_, MapOf("c")), IsOk());
  EXPECT_THAT(Targets(), ElementsAre(HasSubstr("fieldManager=last")));
}

// behaviour.md: CLIENT-27
TEST_F(ClientTest, FieldValidation_IsNotThatOfAnApply) {
  const Client mine =
      client_.Namespaced("default").WithFieldOwner("tool").WithFieldValidation("Ignore");
  ASSERT_THAT(mine.Apply<corev1::ConfigMap>(ctx_, {.metadata = {{.name = "a"}}}), IsOk());
  EXPECT_THAT(Targets(), ElementsAre(Not(HasSubstr("fieldValidation"))));
}

// behaviour.md: CLIENT-28
TEST_F(ClientTest, Subresource_IsThatOfEachCall) {
  policyv1::PodDisruptionBudget budget = {.metadata = {.name = "web", .namespace_ = "default"},
                                          .spec = {.min_available = 1}};
  const absl::StatusOr<policyv1::PodDisruptionBudget> created = client_.Create(ctx_, budget);
  ASSERT_THAT(created, IsOk());
  policyv1::PodDisruptionBudget changed = *created;
  changed.status.current_healthy = 3;
  const Client status = client_.Subresource("status");
  const absl::StatusOr<policyv1::PodDisruptionBudget> updated = status.Update(ctx_, changed);
  ASSERT_THAT(updated, IsOk());
  EXPECT_EQ(updated->status.current_healthy, 3);
  policyv1::PodDisruptionBudget after = *updated;
  after.status.current_healthy = 4;
  const absl::StatusOr<policyv1::PodDisruptionBudget> patched =
      client_.PatchFrom(ctx_, *updated, after, {.subresource = "status"});
  ASSERT_THAT(patched, IsOk());
  EXPECT_EQ(patched->status.current_healthy, 4);
  const auto got = status.Get<policyv1::PodDisruptionBudget>(ctx_, InDefault("web"));
  ASSERT_THAT(got, IsOk());
  EXPECT_EQ((*got)->status.current_healthy, 4);
  EXPECT_THAT(Requests(), ElementsAre("create", "update /status", "patch /status", "get /status"));
}

TEST_F(ClientTest, Subresource_IsNotThatOfCollections) {
  ASSERT_THAT(client_.Create(ctx_, MapOf("a")), IsOk());
  server_.ClearRequests();
  const Client status = client_.Subresource("status");
  EXPECT_THAT(
      status.List<corev1::ConfigMap>(ctx_).status(),
      StatusIs(kInvalid, "list configmaps: only single objects have the subresource \"status\""));
  EXPECT_THAT(status.List<Unstructured>(ctx_, CoreKind("ConfigMap")).status(), StatusIs(kInvalid));
  EXPECT_THAT(status.DeleteAll<corev1::ConfigMap>(ctx_, {.namespace_name = "default"}),
              StatusIs(kInvalid, HasSubstr("deletecollection configmaps: only single objects")));
  EXPECT_THAT(status.DeleteAll(ctx_, CoreKind("ConfigMap"), {.namespace_name = "default"}),
              StatusIs(kInvalid));
  EXPECT_THAT(Requests(), IsEmpty());
  EXPECT_TRUE(Exists("a"));
}

// ---- interceptors

// behaviour.md: CLIENT-30
TEST_F(ClientTest, WithInterceptor_SeesEachCall_AndMayAnswerIt) {
  std::vector<std::string> seen;
  const auto spy = [&seen](const Context&, const Call& call,
                           absl::FunctionRef<absl::Status()> next) {
    seen.push_back(
        absl::StrCat(VerbName(call.verb), " ", call.resource.resource, " ", call.name.ToString()));
    return call.verb == Verb::kDelete ? errors::Forbidden(call.resource.group_resource(),
                                                          call.name.name, "not in this test")
                                      : next();
  };
  const Client watched = client_.Namespaced("default").WithFieldOwner("tool").WithInterceptor(spy);
  ASSERT_THAT(watched.Create(ctx_, MapOf("a", "")), IsOk());
  ASSERT_THAT(watched.Get<corev1::ConfigMap>(ctx_, InDefault("a")), IsOk());
  ASSERT_THAT(watched.List<corev1::ConfigMap>(ctx_), IsOk());
  ASSERT_THAT(watched.Update(ctx_, MapOf("a")), IsOk());
  ASSERT_THAT(watched.Patch(ctx_, MapOf("a"), patch::PatchType::kMerge, "{}"), IsOk());
  ASSERT_THAT(watched.Apply<corev1::ConfigMap>(ctx_, {.metadata = {{.name = "a"}}}), IsOk());
  EXPECT_TRUE(errors::IsForbidden(watched.Delete(ctx_, MapOf("a"))));
  EXPECT_TRUE(Exists("a"));
  ASSERT_THAT(watched.DeleteAll<corev1::ConfigMap>(ctx_), IsOk());
  EXPECT_THAT(seen,
              ElementsAre("create configmaps default/a", "get configmaps default/a",
                          "list configmaps default/", "update configmaps default/a",
                          "patch configmaps default/a", "apply configmaps default/a",
                          "delete configmaps default/a", "deletecollection configmaps default/"));
}

TEST_F(ClientTest, WithInterceptor_TheLastAddedIsFirst_AndNextMayBeCalledAgain) {
  std::vector<std::string> order;
  const auto named = [&order](std::string name) {
    return [&order, name](const Context&, const Call&, absl::FunctionRef<absl::Status()> next) {
      order.push_back(name);
      return next();
    };
  };
  const auto twice = [](const Context&, const Call&, absl::FunctionRef<absl::Status()> next) {
    return errors::IsNotFound(next()) ? next() : absl::OkStatus();
  };
  const Client client = client_.WithInterceptor(named("inner"))
                            .WithInterceptor(twice)
                            .WithInterceptor(named("outer"));
  EXPECT_TRUE(errors::IsNotFound(client.Get<corev1::ConfigMap>(ctx_, InDefault("none")).status()));
  EXPECT_THAT(order, ElementsAre("outer", "inner", "inner"));
}

TEST_F(ClientTest, WithInterceptor_ThatSaysOk_SendsNothing) {
  const Client silent =
      client_.WithInterceptor([](const Context&, const Call&, absl::FunctionRef<absl::Status()>) {
        return absl::OkStatus();
      });
  server_.ClearRequests();
  const absl::StatusOr<corev1::ConfigMap> created = silent.Create(ctx_, MapOf("a"));
  ASSERT_THAT(created, IsOk());
  EXPECT_EQ(*created, MapOf("a"));
  const auto listed = silent.List<corev1::ConfigMap>(ctx_, {.namespace_name = "default"});
  ASSERT_THAT(listed, IsOk());
  EXPECT_THAT(*listed, IsEmpty());
  EXPECT_THAT(silent.Get<corev1::ConfigMap>(ctx_, InDefault("a")),
              StatusIs(absl::StatusCode::kInternal,
                       "get \"default/a\": the interceptor has returned no object"));
  EXPECT_THAT(Requests(), IsEmpty());
}

// ---- readers

// Has one object, "default/cached", and counts the reads.
class OneObject final : public typed::Reader<corev1::ConfigMap> {
 public:
  absl::StatusOr<Object> Get(const Context&, absl::string_view namespace_name,
                             absl::string_view name) const override {
    ++*reads_;
    if (namespace_name == "default" && name == "cached") return object_;
    return absl::NotFoundError("it is not in the cache");
  }
  absl::StatusOr<std::vector<Object>> List(const Context&,
                                           const typed::ReadOptions& options) const override {
    ++*reads_;
    if (options.namespace_name != "default") return std::vector<Object>();
    return std::vector<Object>{object_};
  }
  int reads() const { return *reads_; }
  const Object& object() const { return object_; }

 private:
  const std::unique_ptr<int> reads_ = std::make_unique<int>(0);
  const Object object_ = std::make_shared<const corev1::ConfigMap>(MapOf("cached"));
};

// behaviour.md: CLIENT-1, CLIENT-2
TEST_F(ClientTest, WithReader_ReadsOfTheKindAreItsOwn_AndWritesGoToTheServer) {
  const auto reader = std::make_shared<const OneObject>();
  const Client cached = client_.WithReader<corev1::ConfigMap>(reader).Namespaced("default");
  server_.ClearRequests();
  const auto got = cached.Get<corev1::ConfigMap>(ctx_, {.namespace_name = "", .name = "cached"});
  ASSERT_THAT(got, IsOk());
  EXPECT_EQ(*got, reader->object()) << "not a copy";
  const auto listed = cached.List<corev1::ConfigMap>(ctx_);
  ASSERT_THAT(listed, IsOk());
  EXPECT_THAT(*listed, ElementsAre(reader->object()));
  EXPECT_EQ(reader->reads(), 2);
  EXPECT_THAT(Requests(), IsEmpty());

  ASSERT_THAT(cached.Create(ctx_, MapOf("a")), IsOk());
  EXPECT_FALSE(cached.Get<corev1::ConfigMap>(ctx_, InDefault("a")).ok());
  EXPECT_TRUE(Exists("a")) << "the client that it was made from reads from the server";
  EXPECT_THAT(cached.Get<Unstructured>(ctx_, CoreKind("ConfigMap"), InDefault("a")), IsOk())
      << "the reader is that of another type";
}

}  // namespace
}  // namespace kube::generic
