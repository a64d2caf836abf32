// Unusual patches, one per row; Go must give the same results.

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "apimachinery/patch/strategic_merge_patch.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"
#include "tests/oracle/go_cases.h"

namespace kube::patch {
namespace {

using oracle::GoCases;
using unstructured::EncodeJson;
using unstructured::ParseJson;
using unstructured::Value;

struct Row {
  absl::string_view kind;
  absl::string_view first;   // the object, or the original
  absl::string_view second;  // the patch, or the modified object
};

const KindInfo& FindKind(absl::string_view name) {
  for (const KindInfo* kind : api::AllKinds()) {
    const std::string own =
        absl::StrCat(kind->group, kind->group.empty() ? "" : "/", kind->version, " ", kind->kind);
    if (own == name) return *kind;
  }
  ADD_FAILURE() << "there is no kind " << name;
  return *api::AllKinds().front();
}

std::string AnswerOf(const absl::StatusOr<Value>& value) {
  return value.ok() ? *EncodeJson(*value) : std::string(GoCases::kError);
}

std::string Question(const Row& row, absl::string_view second) {
  return absl::StrCat(R"({"Kind":")", row.kind, R"(","Original":)", row.first, ",\"", second,
                      "\":", row.second, "}");
}

constexpr absl::string_view kPod = "v1 Pod";

// behaviour.md: COD-15
TEST(PatchCases, Applied) {
  GoCases cases("patch_oracle");
  const std::vector<Row> rows = {
      {kPod, R"({"spec":{"hostNetwork":true}})", R"({"$patch":"delete"})"},
      {kPod, R"({"spec":{"hostNetwork":true}})", R"({"spec":{"$patch":"replace","x":null}})"},
      {kPod, R"({"spec":{"hostNetwork":true}})", R"({"spec":{"$patch":"merge"}})"},
      {kPod, R"({"spec":{"containers":[{"name":"a","image":"x"}]}})",
       R"({"spec":{"containers":[{"name":"b","command":null},{"name":"a","image":"y"}]}})"},
      {kPod, R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})",
       R"({"spec":{"containers":[{"name":"c"},{"$patch":"replace"}]}})"},
      {kPod, R"({"spec":{"containers":[{"image":"no name"}]}})",
       R"({"spec":{"containers":[{"name":"c"},{"$patch":"replace"}]}})"},
      {kPod, R"({"spec":{"containers":[{"image":"no name"}]}})",
       R"({"spec":{"containers":[{"name":"c"}]}})"},
      {kPod, R"({"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"a"}]}})",
       R"({"spec":{"containers":[{"$patch":"delete","name":"a"}]}})"},
      {kPod, R"({"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"}]}})",
       R"({"spec":{"$setElementOrder/containers":[{"name":"c"},{"name":"a"}],)"
       R"("containers":[{"$patch":"delete","name":"b"}]}})"},
      {kPod, R"({"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"}]}})",
       R"({"spec":{"$setElementOrder/containers":[],)"
       R"("containers":[{"$patch":"delete","name":"a"},{"name":"a","image":"x"},{"name":"z"}]}})"},
      {kPod, R"({"metadata":{"finalizers":["a","b","c"]}})",
       R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["b"]}})"},
      {kPod, R"({"metadata":{"finalizers":["a","b"]}})",
       R"({"metadata":{"$setElementOrder/finalizers":["c","b","a"],"finalizers":["c"]}})"},
      {kPod, R"({"metadata":{}})",
       R"({"metadata":{"$setElementOrder/finalizers":[],"finalizers":["a","b","c"]}})"},
      {kPod, R"({"metadata":{"finalizers":["a"]}})",
       R"({"metadata":{"$setElementOrder/finalizers":["b","a"],"finalizers":["a","b"]}})"},
      {kPod, R"({"metadata":{"finalizers":["a",1]}})", R"({"metadata":{"finalizers":["b"]}})"},
      {kPod, R"({"metadata":{"finalizers":[null]}})", R"({"metadata":{"finalizers":["b"]}})"},
      {kPod, R"({"metadata":{"finalizers":["a","a","b"]}})",
       R"({"metadata":{"finalizers":["x"]}})"},
      {kPod, R"({"spec":{"volumes":[{"name":"v","emptyDir":{"medium":"Memory"}}]}})",
       R"({"spec":{"volumes":[{"$retainKeys":["name","hostPath"],"name":"v","hostPath":{}}]}})"},
      {kPod, R"({"spec":{"volumes":[{"name":"v","emptyDir":{}}]}})",
       R"({"spec":{"volumes":[{"$retainKeys":["name"],"name":"v","hostPath":{}}]}})"},
      {"apps/v1 Deployment", R"({"spec":{"strategy":{"type":"RollingUpdate","rollingUpdate":{}}}})",
       R"({"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate"}}})"},
      // Names in another case find the field, not the member.
      {kPod, R"({"Spec":{"Containers":[{"name":"a"}]}})",
       R"({"Spec":{"Containers":[{"name":"b"}]}})"},
      {kPod, R"({"spec":{"nosuch":{"a":1}}})", R"({"spec":{"nosuch":{"a":2}}})"},
      {kPod, R"({"spec":{"nosuch":1}})", R"({"spec":{"nosuch":{"a":null,"b":1}}})"},
      {"v1 ConfigMap", R"({"data":{"a":{"b":{}}}})", R"({"data":{"a":{"b":{}}}})"},
      // Quantities, times, IntOrStrings: objects where these types allow none.
      {"v1 Service", R"({"spec":{"ports":[{"port":1,"targetPort":{"StrVal":{}}}]}})",
       R"({"spec":{"ports":[{"port":1,"targetPort":{"strval":{}}}]}})"},
      {"v1 Service", R"({"spec":{"ports":[{"port":1},{"port":1.5},{"port":"1"}]}})",
       R"({"spec":{"ports":[{"port":"1","name":"x"},{"port":1,"name":"y"}]}})"},
      {"apiextensions.k8s.io/v1 CustomResourceDefinition",
       R"({"spec":{"versions":[{"schema":{"openAPIV3Schema":{"not":{"type":"x"}}}}]}})",
       R"({"spec":{"versions":[{"schema":{"openAPIV3Schema":{"not":{"type":"y"}}}}]}})"},
      {"apps/v1 ControllerRevision", R"({"data":{"a":{"b":1}}})", R"({"data":{"a":{"b":2}}})"},
      {"apps/v1 ControllerRevision", R"({"data":{"a":1}})", R"({"data":{"a":2,"b":{}}})"},
  };
  for (const Row& row : rows) {
    cases.Add("strategic_apply", Question(row, "Patch"),
              AnswerOf(ApplyStrategicMergePatch(*ParseJson(row.first), *ParseJson(row.second),
                                                FindKind(row.kind))));
  }
  cases.Check();
}

// behaviour.md: COD-15
TEST(PatchCases, Made) {
  GoCases cases("patch_oracle");
  const std::vector<Row> rows = {
      {kPod, R"({"metadata":{"finalizers":["b","a"]}})",
       R"({"metadata":{"finalizers":["b","a"]}})"},
      {kPod, R"({"metadata":{"finalizers":["a","a","b","c"]}})",
       R"({"metadata":{"finalizers":[]}})"},
      {kPod,
       R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":53,"protocol":"TCP"},)"
       R"({"containerPort":53,"protocol":"UDP"}]}]}})",
       R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":53,"protocol":"UDP"},)"
       R"({"containerPort":53,"protocol":"TCP"}]}]}})"},
      {kPod, R"({"spec":{"volumes":[{"name":"v","emptyDir":{}}]}})",
       R"({"spec":{"volumes":[{"name":"v","hostPath":{"path":"/"}}]}})"},
      {kPod, R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})",
       R"({"spec":{"containers":[{"name":"b"},{"name":"a"}]}})"},
      {kPod, R"({"spec":{"containers":[[1]]}})", R"({"spec":{"containers":[[2]]}})"},
      {kPod, R"({"spec":{"containers":[{"x":1}]}})", R"({"spec":{"containers":[{"x":2}]}})"},
      {"apps/v1 Deployment", R"({"spec":{"strategy":{"type":"RollingUpdate","rollingUpdate":{}}}})",
       R"({"spec":{"strategy":{"type":"Recreate"}}})"},
      {kPod, R"({"$patch":"a"})", R"({"$patch":1})"},
      {"apps/v1 ControllerRevision", R"({"data":{"a":{"b":1}}})", R"({"data":{"a":{"b":2}}})"},
  };
  for (const Row& row : rows) {
    cases.Add("strategic", Question(row, "Modified"),
              AnswerOf(MakeStrategicMergePatch(*ParseJson(row.first), *ParseJson(row.second),
                                               FindKind(row.kind))));
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::patch
