#include "apimachinery/managedfields/internal/strip_meta.h"

#include "absl/strings/string_view.h"
#include "apimachinery/managedfields/fields_v1.h"
#include "apimachinery/managedfields/managers.h"
#include "gtest/gtest.h"

namespace kube::managedfields::internal {
namespace {

ManagerId Actor() { return {.name = "actor", .operation = Operation::kApply}; }
ManagerId Other() { return {.name = "other", .operation = Operation::kApply}; }

OwnedFields Owned(absl::string_view json) {
  return {.fields = *DecodeFieldsV1(json), .api_version = "apps/v1"};
}

TEST(StripMeta, EachSet_LosesWhatNobodyOwns) {
  struct Case {
    absl::string_view fields;
    absl::string_view want;
  };
  for (const auto& [fields, want] : {
           Case{R"({"f:apiVersion":{},"f:kind":{},"f:spec":{"f:replicas":{}}})",
                R"({"f:spec":{"f:replicas":{}}})"},
           Case{R"({"f:metadata":{".":{},"f:clusterName":{},"f:creationTimestamp":{},)"
                R"("f:generation":{},"f:labels":{".":{},"f:name":{}},"f:managedFields":{},)"
                R"("f:name":{},"f:namespace":{},"f:resourceVersion":{},"f:selfLink":{},)"
                R"("f:uid":{}}})",
                R"({"f:metadata":{"f:labels":{".":{},"f:name":{}}}})"},
           // Only these fields themselves: what is below them stays.
           Case{R"({"f:metadata":{"f:name":{".":{},"f:x":{}}}})",
                R"({"f:metadata":{"f:name":{"f:x":{}}}})"},
           Case{R"({"f:spec":{"f:kind":{},"f:metadata":{"f:name":{}}}})",
                R"({"f:spec":{"f:kind":{},"f:metadata":{"f:name":{}}}})"},
       }) {
    const Managers stripped = StripMeta({{Actor(), Owned(fields)}}, Actor());
    EXPECT_EQ(stripped, (Managers{{Actor(), Owned(want)}})) << fields;
  }
}

TEST(StripMeta, NothingLeft_RemovesTheManager) {
  const OwnedFields name = Owned(R"({"f:kind":{},"f:metadata":{"f:name":{}}})");
  EXPECT_EQ(StripMeta({{Actor(), name}, {Other(), name}}, Actor()), (Managers{{Other(), name}}));
}

TEST(StripMeta, UnknownManager_ChangesNothing) {
  const Managers managers = {{Other(), Owned(R"({"f:kind":{}})")}};
  EXPECT_EQ(StripMeta(managers, Actor()), managers);
}

}  // namespace
}  // namespace kube::managedfields::internal
