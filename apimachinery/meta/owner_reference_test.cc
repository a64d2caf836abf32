#include "apimachinery/meta/owner_reference.h"

#include <optional>

#include "absl/status/status.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/unstructured/unstructured.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::meta {
namespace {

namespace metav1 = api::meta::v1;
using absl::StatusCode;
using base::IsOk;
using base::StatusIs;

const schema::GroupVersionKind kWeb = {.group = "example.com", .version = "v1", .kind = "Web"};
const schema::GroupVersionKind kWebV2 = {.group = "example.com", .version = "v2", .kind = "Web"};

metav1::ObjectMeta Meta(const char* name, const char* uid, const char* ns = "prod") {
  metav1::ObjectMeta metadata;
  metadata.name = name;
  metadata.uid = uid;
  metadata.namespace_ = ns;
  return metadata;
}

TEST(NewControllerRef, NewControllerRef_ControlsAndBlocksDeletion) {
  EXPECT_EQ(NewControllerRef(Meta("a", "u"), kWeb),
            (metav1::OwnerReference{.api_version = "example.com/v1",
                                    .kind = "Web",
                                    .name = "a",
                                    .uid = "u",
                                    .controller = true,
                                    .block_owner_deletion = true}));
  EXPECT_EQ(NewControllerRef(Meta("a", "u"), {.version = "v1", .kind = "Pod"}).api_version, "v1");
}

TEST(GetControllerOf, GetControllerOf_SeveralControllers_ReturnsTheFirst) {
  metav1::ObjectMeta pod = Meta("web-0", "p");
  EXPECT_EQ(GetControllerOf(pod), nullptr);
  EXPECT_FALSE(HasControllerReference(pod));
  pod.owner_references = {{.name = "none"}, {.name = "no", .controller = false}};
  EXPECT_EQ(GetControllerOf(pod), nullptr);
  pod.owner_references.push_back({.name = "first", .uid = "1", .controller = true});
  pod.owner_references.push_back({.name = "second", .uid = "2", .controller = true});
  EXPECT_EQ(GetControllerOf(pod), &pod.owner_references[2]);
  EXPECT_TRUE(HasControllerReference(pod));
  EXPECT_TRUE(IsControlledBy(pod, Meta("another name", "1")));
  EXPECT_FALSE(IsControlledBy(pod, Meta("second", "2")));
  EXPECT_FALSE(IsControlledBy(Meta("b", "b"), Meta("a", "")));
}

// The following tests have the results of controller-runtime's controllerutil.
// behaviour.md: UTIL-1
TEST(SetControllerReference, SetControllerReference_SameOwner_ReplacesItsReference) {
  metav1::ObjectMeta pod = Meta("web-0", "p");
  pod.owner_references = {{.api_version = "v1", .kind = "Node", .name = "n"}};
  EXPECT_THAT(SetControllerReference(Meta("a", "1"), kWeb, pod), IsOk());
  ASSERT_EQ(pod.owner_references.size(), 2u);
  EXPECT_EQ(pod.owner_references[1], NewControllerRef(Meta("a", "1"), kWeb));
  EXPECT_THAT(SetControllerReference(Meta("a", "2"), kWebV2, pod), IsOk());
  ASSERT_EQ(pod.owner_references.size(), 2u);
  EXPECT_EQ(pod.owner_references[1], NewControllerRef(Meta("a", "2"), kWebV2));
  EXPECT_THAT(SetControllerReference(Meta("a", "2"), kWeb, pod, {.block_owner_deletion = false}),
              IsOk());
  EXPECT_EQ(pod.owner_references[1].block_owner_deletion, false);
}

// behaviour.md: UTIL-4
TEST(SetControllerReference, SetControllerReference_PlainOwner_BecomesTheController) {
  metav1::ObjectMeta pod = Meta("web-0", "p");
  EXPECT_THAT(SetOwnerReference(Meta("a", "1"), kWeb, pod), IsOk());
  EXPECT_FALSE(HasControllerReference(pod));
  EXPECT_THAT(SetControllerReference(Meta("a", "1"), kWeb, pod), IsOk());
  EXPECT_EQ(pod.owner_references.size(), 1u);
  EXPECT_TRUE(HasControllerReference(pod));
  EXPECT_THAT(SetOwnerReference(Meta("a", "1"), kWeb, pod), IsOk());
  EXPECT_FALSE(HasControllerReference(pod)) << "as upstream";
}

// behaviour.md: CR-9, UTIL-2
TEST(SetControllerReference, RefusesWhatAnotherControls) {
  metav1::ObjectMeta pod = Meta("web-0", "p");
  EXPECT_THAT(SetControllerReference(Meta("a", "1"), kWeb, pod), IsOk());
  const metav1::ObjectMeta before = pod;
  const absl::Status error = SetControllerReference(Meta("b", "2"), kWeb, pod);
  EXPECT_THAT(error, StatusIs(StatusCode::kAlreadyExists,
                              "Object prod/web-0 is already owned by another Web controller a"));
  EXPECT_TRUE(IsAlreadyOwned(base::Annotate(error, "reconcile")));
  EXPECT_EQ(pod, before);
  EXPECT_FALSE(IsAlreadyOwned(absl::AlreadyExistsError("x")));
  // An owner with another group or kind is a different owner.
  EXPECT_TRUE(IsAlreadyOwned(
      SetControllerReference(Meta("a", "1"), {.group = "x", .version = "v1", .kind = "Web"}, pod)));
  EXPECT_TRUE(IsAlreadyOwned(SetControllerReference(
      Meta("a", "1"), {.group = "example.com", .version = "v1", .kind = "Net"}, pod)));
}

TEST(SetControllerReference, SetControllerReference_MalformedVersion_IsAnotherOwner) {
  metav1::ObjectMeta pod = Meta("web-0", "p");
  pod.owner_references = {{.api_version = "a/b/c", .kind = "Web", .name = "a", .controller = true}};
  EXPECT_TRUE(IsAlreadyOwned(SetControllerReference(
      Meta("a", "1"), {.group = "a/b", .version = "c", .kind = "Web"}, pod)));
}

// behaviour.md: CR-9, UTIL-3
TEST(SetOwnerReference, SetReferences_NamespacesThatDoNotFit_IsInvalidArgument) {
  const struct {
    const char* name;
    const char* owner_namespace;
    const char* object_namespace;
    const char* error;
  } kRows[] = {
      {"one namespace", "prod", "prod", ""},
      {"no namespaces", "", "", ""},
      {"owner of the cluster", "", "prod", ""},
      {"object of the cluster", "prod", "",
       "cluster-scoped resource must not have a namespace-scoped owner, owner's namespace prod"},
      {"two namespaces", "prod", "test",
       "cross-namespace owner references are disallowed, owner's namespace prod, obj's namespace "
       "test"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    const metav1::ObjectMeta owner = Meta("a", "1", row.owner_namespace);
    using Set = absl::Status(const metav1::ObjectMeta&, const schema::GroupVersionKind&,
                             metav1::ObjectMeta&, const OwnerReferenceOptions&);
    for (Set* const set :
         {static_cast<Set*>(SetControllerReference), static_cast<Set*>(SetOwnerReference)}) {
      metav1::ObjectMeta object = Meta("b", "2", row.object_namespace);
      const absl::Status status = set(owner, kWeb, object, {});
      if (row.error[0] == '\0') {
        EXPECT_THAT(status, IsOk());
      } else {
        EXPECT_THAT(status, StatusIs(StatusCode::kInvalidArgument, row.error));
      }
      EXPECT_EQ(object.owner_references.empty(), !status.ok());
    }
  }
}

TEST(SetOwnerReference, SetOwnerReference_SameOwner_ReplacesItsReference) {
  metav1::ObjectMeta pod = Meta("web-0", "p");
  EXPECT_THAT(SetOwnerReference(Meta("a", "1"), kWeb, pod), IsOk());
  EXPECT_THAT(SetOwnerReference(Meta("b", "2"), kWeb, pod), IsOk());
  EXPECT_THAT(SetOwnerReference(Meta("a", "3"), kWebV2, pod, {.block_owner_deletion = true}),
              IsOk());
  ASSERT_EQ(pod.owner_references.size(), 2u);
  EXPECT_EQ(pod.owner_references[0], (metav1::OwnerReference{.api_version = "example.com/v2",
                                                             .kind = "Web",
                                                             .name = "a",
                                                             .uid = "3",
                                                             .block_owner_deletion = true}));
  EXPECT_EQ(pod.owner_references[1].block_owner_deletion, std::nullopt);
}

// behaviour.md: UTIL-5
TEST(RemoveOwnerReference, RemoveOwnerReference_RemovesByKindAndNameElseNotFound) {
  metav1::ObjectMeta pod = Meta("web-0", "p");
  EXPECT_THAT(RemoveOwnerReference(Meta("a", "1"), kWeb, pod),
              StatusIs(StatusCode::kNotFound, "object prod/web-0 has no owner Web a"));
  EXPECT_THAT(SetOwnerReference(Meta("a", "1"), kWeb, pod), IsOk());
  EXPECT_THAT(SetOwnerReference(Meta("b", "2"), kWeb, pod), IsOk());
  EXPECT_TRUE(HasOwnerReference(pod.owner_references, Meta("a", ""), kWebV2));
  EXPECT_FALSE(HasOwnerReference(pod.owner_references, Meta("c", "1"), kWeb));
  EXPECT_THAT(RemoveOwnerReference(Meta("a", "another"), kWebV2, pod), IsOk());
  ASSERT_EQ(pod.owner_references.size(), 1u);
  EXPECT_EQ(pod.owner_references[0].name, "b");
}

// behaviour.md: UTIL-5
TEST(RemoveControllerReference, RemoveControllerReference_PlainOwner_IsNotFound) {
  metav1::ObjectMeta pod = Meta("web-0", "p");
  EXPECT_THAT(SetOwnerReference(Meta("a", "1"), kWeb, pod), IsOk());
  EXPECT_THAT(RemoveControllerReference(Meta("a", "1"), kWeb, pod),
              StatusIs(StatusCode::kNotFound, "object prod/web-0 has no controller Web a"));
  EXPECT_THAT(SetControllerReference(Meta("a", "1"), kWeb, pod), IsOk());
  EXPECT_THAT(RemoveControllerReference(Meta("b", "1"), kWeb, pod),
              StatusIs(StatusCode::kNotFound));
  EXPECT_THAT(RemoveControllerReference(Meta("a", "1"), kWeb, pod), IsOk());
  EXPECT_TRUE(pod.owner_references.empty());
}

TEST(SetControllerReference, BetweenMetadata_AsInTheHeader) {
  const metav1::PartialObjectMetadata web = {.metadata = Meta("web", "u")};
  metav1::PartialObjectMetadata pod = {.metadata = Meta("web-0", "p")};
  const absl::Status status = meta::SetControllerReference(web.metadata, kWeb, pod.metadata);
  const bool is_ours = meta::IsControlledBy(pod.metadata, web.metadata);
  EXPECT_THAT(status, IsOk());
  EXPECT_TRUE(is_ours);
}

TEST(SetControllerReference, BetweenObjects_AsInTheHeader) {
  const schema::GroupVersionKind kWidget = {
      .group = "example.com", .version = "v1", .kind = "Widget"};
  unstructured::Unstructured widget;
  widget.set_name("w");
  widget.set_uid("u");
  metav1::PartialObjectMetadata pod = {.metadata = Meta("web-0", "p")};
  const absl::Status status = meta::SetControllerReference(widget, kWidget, pod);
  EXPECT_THAT(status, IsOk());
  EXPECT_TRUE(meta::IsControlledBy(pod, widget));
}

}  // namespace
}  // namespace kube::meta
