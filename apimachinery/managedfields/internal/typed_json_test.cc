#include "apimachinery/managedfields/internal/typed_json.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/managedfields/internal/typed_plan.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::managedfields::internal {
namespace {

namespace corev1 = api::core::v1;

using api::apps::v1::ControllerRevision;
using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using corev1::Pod;
using testing::HasSubstr;
using unstructured::Value;

template <typename T>
const char* BytesOf(const T& object) {
  return reinterpret_cast<const char*>(&object);
}

Pod PodOf(absl::string_view json) {
  absl::StatusOr<Pod> pod = codec::DecodeJson<Pod>(json);
  EXPECT_THAT(pod.status(), IsOk()) << json;
  return pod.ok() ? *std::move(pod) : Pod();
}

TEST(TypedJsonTest, SameStruct_IsTrueIfTheJsonIsTheSame) {
  const struct {
    std::string name;
    absl::string_view a, b;
    bool want;
  } rows[] = {
      {"nothing", "{}", "{}", true},
      {"equal", R"({"spec":{"nodeName":"n"}})", R"({"spec":{"nodeName":"n"}})", true},
      {"a text", R"({"spec":{"nodeName":"n"}})", R"({"spec":{"nodeName":"m"}})", false},
      {"null and an empty map that is left out", R"({"metadata":{"labels":{}}})", "{}", true},
      {"null and an empty list that is written", R"({"spec":{"containers":[]}})", "{}", false},
      {"the order of a set", R"({"metadata":{"finalizers":["a","b"]}})",
       R"({"metadata":{"finalizers":["b","a"]}})", false},
      {"a quantity in two forms", R"({"spec":{"overhead":{"cpu":"1"}}})",
       R"({"spec":{"overhead":{"cpu":"1000m"}}})", true},
      {"a key of a map", R"({"spec":{"overhead":{"cpu":"1"}}})",
       R"({"spec":{"overhead":{"memory":"1"}}})", false},
      {"a pointer to a struct", R"({"spec":{"affinity":{}}})", "{}", false},
      {"a pointer to a number", R"({"spec":{"priority":0}})", "{}", false},
      {"a time", R"({"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z"}})", "{}", false},
  };
  const TypedPlan& plan = TypedPlanOf(Pod::kMessage);
  for (const auto& row : rows) {
    const Pod a = PodOf(row.a);
    const Pod b = PodOf(row.b);
    TypedJson json;
    EXPECT_EQ(json.SameStruct(BytesOf(a), BytesOf(b), plan), row.want) << row.name;
    EXPECT_EQ(json.SameStruct(BytesOf(b), BytesOf(a), plan), row.want) << row.name;
    EXPECT_TRUE(json.SameStruct(BytesOf(a), BytesOf(a), plan)) << row.name;
    EXPECT_THAT(json.status(), IsOk()) << row.name;
  }
}

TEST(TypedJsonTest, ValueOf_Member_IsItsJson) {
  const Pod pod = PodOf(R"({"metadata":{"labels":{"a":"b"}},)"
                        R"("spec":{"nodeName":"n","priority":3,"tolerations":[{"key":"k"}]}})");
  const struct {
    std::string name;
    absl::string_view parent, member, want;
  } rows[] = {
      {"a text", "spec", "nodeName", R"("n")"},
      {"a pointer", "spec", "priority", "3"},
      {"a pointer that is null", "spec", "affinity", "null"},
      {"a list", "spec", "tolerations", R"([{"key":"k"}])"},
      {"a list that is null", "spec", "containers", "null"},
      {"a map", "metadata", "labels", R"({"a":"b"})"},
      {"a bool", "spec", "hostNetwork", "false"},
  };
  for (const auto& row : rows) {
    const TypedMember* parent = TypedPlanOf(Pod::kMessage).Find(row.parent);
    ASSERT_NE(parent, nullptr) << row.name;
    const TypedMember* member = parent->sub->Find(row.member);
    ASSERT_NE(member, nullptr) << row.name;
    TypedJson json;
    const Value value =
        json.ValueOf(BytesOf(pod) + parent->field->offset + member->field->offset, *member);
    EXPECT_THAT(unstructured::EncodeJson(value), IsOkAndHolds(std::string(row.want))) << row.name;
    EXPECT_THAT(json.status(), IsOk()) << row.name;
  }
}

TEST(TypedJsonTest, PartWithoutJson_IsAnError) {
  ControllerRevision a;
  a.data = "{";
  ControllerRevision b;
  b.data = "{}";
  TypedJson json;
  EXPECT_FALSE(json.SameStruct(BytesOf(a), BytesOf(b), TypedPlanOf(ControllerRevision::kMessage)));
  EXPECT_THAT(json.status(), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(TypedJsonTest, JsonNestedTooDeep_IsAnError) {
  const auto nested = [](int depth, absl::string_view inner) {
    std::string text(static_cast<size_t>(depth), '[');
    text.append(inner.data(), inner.size());
    return text.append(static_cast<size_t>(depth), ']');
  };
  ControllerRevision a;
  a.data = nested(2000, "1");
  ControllerRevision b;
  b.data = nested(2000, "2");
  TypedJson json;
  EXPECT_FALSE(json.SameStruct(BytesOf(a), BytesOf(b), TypedPlanOf(ControllerRevision::kMessage)));
  EXPECT_THAT(json.status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("nested more than")));
}

TEST(TypedJsonTest, IsWritten_Member_AsGosTagsSay) {
  Pod pod;
  const TypedMember& spec = *TypedPlanOf(Pod::kMessage).Find("spec");
  const auto is_written = [&](absl::string_view name) {
    const TypedMember& member = *spec.sub->Find(name);
    return IsWritten(BytesOf(pod) + spec.field->offset + member.field->offset, member);
  };
  EXPECT_TRUE(is_written("containers"));
  EXPECT_FALSE(is_written("nodeName"));
  EXPECT_FALSE(is_written("affinity"));
  pod.spec.node_name = "n";
  pod.spec.affinity.emplace();
  EXPECT_TRUE(is_written("nodeName"));
  EXPECT_TRUE(is_written("affinity"));
}

}  // namespace
}  // namespace kube::managedfields::internal
