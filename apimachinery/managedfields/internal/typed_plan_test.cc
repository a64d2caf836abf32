#include "apimachinery/managedfields/internal/typed_plan.h"

#include <algorithm>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/table_schema.h"
#include "apimachinery/table/message.h"
#include "gtest/gtest.h"

namespace kube::managedfields::internal {
namespace {

namespace corev1 = api::core::v1;

using base::IsOk;
using kube::table::Message;
using kube::table::Shape;

// Returns the member at a path such as "spec.containers.name", or null.
const TypedMember* At(const Message& message, absl::string_view path) {
  const TypedPlan* plan = &TypedPlanOf(message);
  const TypedMember* member = nullptr;
  for (const absl::string_view name : absl::StrSplit(path, '.')) {
    member = plan == nullptr ? nullptr : plan->Find(name);
    if (member == nullptr) return nullptr;
    plan = member->sub;
  }
  return member;
}

TEST(TypedPlanTest, Members_AreSortedAndHaveTheSchemasOfTheType) {
  const TypedPlan& pod = TypedPlanOf(corev1::Pod::kMessage);
  EXPECT_EQ(pod.message, &corev1::Pod::kMessage);
  EXPECT_EQ(pod.schema, &SchemaOf(corev1::Pod::kMessage));
  EXPECT_TRUE(
      std::is_sorted(pod.members.begin(), pod.members.end(),
                     [](const TypedMember& a, const TypedMember& b) { return a.name < b.name; }));
  EXPECT_EQ(&TypedPlanOf(corev1::Pod::kMessage), &pod);
  EXPECT_EQ(pod.Find("metadat"), nullptr);

  const TypedMember* containers = At(corev1::Pod::kMessage, "spec.containers");
  ASSERT_NE(containers, nullptr);
  EXPECT_EQ(containers->shape, Shape::kList);
  EXPECT_EQ(containers->owner, &corev1::PodSpec::kMessage);
  EXPECT_TRUE(containers->schema->list->associative);
  ASSERT_NE(containers->sub, nullptr);
  EXPECT_EQ(containers->sub->message, &corev1::Container::kMessage);
  EXPECT_EQ(containers->sub->schema, containers->schema->list->element);
}

TEST(TypedPlanTest, StructThatContainsItself_HasOnePlan) {
  using api::apiextensions::v1::JSONSchemaProps;
  const TypedPlan& plan = TypedPlanOf(JSONSchemaProps::kMessage);
  const TypedMember* inner = plan.Find("not");
  ASSERT_NE(inner, nullptr);
  EXPECT_EQ(inner->sub, &plan);
  const TypedMember* items = plan.Find("items");
  ASSERT_NE(items, nullptr);
  EXPECT_FALSE(items->sub->is_object());
}

TEST(TypedPlanTest, NeedsCheck_ListsWhoseItemsMayLackAKey) {
  const struct {
    std::string name;
    const Message& message;
    absl::string_view path;
    bool want;
  } rows[] = {
      {"the key may be left out", corev1::ServiceAccount::kMessage, "secrets", true},
      {"the key is always written", corev1::Pod::kMessage, "spec.containers", false},
      {"the key has a default", corev1::Pod::kMessage, "spec.imagePullSecrets", false},
      {"a set of strings", corev1::Pod::kMessage, "metadata.finalizers", false},
      {"an atomic list", corev1::Pod::kMessage, "spec.tolerations", false},
      {"no list", corev1::Pod::kMessage, "spec", false},
  };
  for (const auto& row : rows) {
    const TypedMember* member = At(row.message, row.path);
    ASSERT_NE(member, nullptr) << row.name;
    EXPECT_EQ(member->needs_check, row.want) << row.name;
  }
  EXPECT_TRUE(TypedPlanOf(corev1::ServiceAccount::kMessage).needs_check);
  EXPECT_FALSE(TypedPlanOf(api::apps::v1::Deployment::kMessage).needs_check);
}

TEST(TypedPlanTest, SeveralThreads_GetOnePlan) {
  const TypedPlan* plan = &TypedPlanOf(corev1::Node::kMessage);
  base::ThreadGroup group{Context()};
  for (int i = 0; i < 4; ++i) {
    group.Go("plan", [plan](const Context&) {
      return &TypedPlanOf(corev1::Node::kMessage) == plan &&
                     At(corev1::Service::kMessage, "spec.ports.port") != nullptr
                 ? absl::OkStatus()
                 : absl::InternalError("another plan");
    });
  }
  EXPECT_THAT(group.Wait(), IsOk());
}

}  // namespace
}  // namespace kube::managedfields::internal
