#include "apiserver/policies/policy_mutation.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/cel/program.h"
#include "apimachinery/managedfields/table_schema.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/validation/policy_compiler.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using testing::HasSubstr;
using unstructured::Value;

constexpr char kPod[] =
    R"({"apiVersion":"v1","kind":"Pod","metadata":{"labels":{"a":"b"},"name":"p"},)"
    R"("spec":{"containers":[{"image":"i","name":"c"}]}})";

// Returns the pod after the mutation by an expression, or the error.
std::string Mutated(PolicyExpression purpose, absl::string_view expression) {
  const PolicyCompiler::Options options = {};
  const PolicyCompiler compiler(options);
  const absl::StatusOr<cel::Program> program = compiler.Compile(purpose, expression);
  if (!program.ok()) return std::string(program.status().message());
  const cel::Program::Result result = program->Evaluate(Context(), {});
  if (!result.value.ok()) return std::string(result.value.status().message());
  const absl::StatusOr<Value> pod = unstructured::ParseJson(absl::string_view(kPod));
  if (!pod.ok()) return std::string(pod.status().message());
  const absl::StatusOr<Value> mutated =
      purpose == PolicyExpression::kJsonPatch
          ? ApplyPatches(*pod, *result.value)
          : MergeConfiguration(*pod, managedfields::SchemaOf(api::core::v1::Pod::kMessage),
                               *result.value);
  if (!mutated.ok()) return std::string(mutated.status().message());
  return unstructured::EncodeJson(*mutated).value_or("");
}

struct Row {
  const char* name;
  const char* expression;
  const char* result;
};

TEST(PolicyMutation, MergesConfigurations) {
  const Row rows[] = {
      {"a label", "Object{metadata: Object.metadata{labels: {'x': 'y'}}}",
       R"("labels":{"a":"b","x":"y"})"},
      {"a container by its name",
       "Object{spec: Object.spec{containers: [Object.spec.containers{name: 'c', tty: true}]}}",
       R"("containers":[{"image":"i","name":"c","tty":true}])"},
      {"nothing", "Object{}", kPod},
      {"another type", "Object{spec: Object.other{hostname: 'h'}}",
       "type mismatch: unexpected type name \"Object.other\", expected \"Object.spec\", which "
       "matches field name path from root Object type"},
      {"another type in a list",
       "Object{spec: Object.spec{containers: [Object.spec.volumes{name: 'c'}]}}",
       "unexpected type name \"Object.spec.volumes\", expected \"Object.spec.containers\""},
      {"an unknown field", "Object{spec: Object.spec{none: 1}}",
       "error applying patch: failed to convert patch object to typed object: .spec.none: field "
       "not declared in schema"},
      {"an atomic list",
       "Object{spec: Object.spec{containers: [Object.spec.containers{name: 'c', "
       "command: ['a']}]}}",
       "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or "
       "structs: .spec.containers[0].command"},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(Mutated(PolicyExpression::kApplyConfiguration, row.expression),
                HasSubstr(row.result))
        << row.name;
  }
}

TEST(PolicyMutation, AppliesPatches) {
  const Row rows[] = {
      {"a label",
       "[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('x/y'), value: 'z'}]",
       R"("labels":{"a":"b","x/y":"z"})"},
      {"an object",
       "[JSONPatch{op: 'add', path: '/spec/containers/-', "
       "value: Object.spec.containers{name: 'd'}}]",
       R"("containers":[{"image":"i","name":"c"},{"name":"d"}])"},
      {"several operations",
       "[JSONPatch{op: 'copy', from: '/metadata/labels/a', path: '/metadata/labels/c'}, "
       "JSONPatch{op: 'remove', path: '/metadata/labels/a'}]",
       R"("labels":{"c":"b"})"},
      {"a test that fails",
       "[JSONPatch{op: 'test', path: '/metadata/labels/a', value: 'c'}, "
       "JSONPatch{op: 'remove', path: '/metadata/labels/a'}]",
       kPod},
      {"another operation", "[JSONPatch{op: 'other', path: '/a'}]",
       "JSON Patch: Unexpected kind: other"},
      {"a path that leads nowhere", "[JSONPatch{op: 'remove', path: '/none'}]", "JSON Patch: "},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(Mutated(PolicyExpression::kJsonPatch, row.expression), HasSubstr(row.result))
        << row.name;
  }
}

// A short expression makes values whose text is exponentially longer.
TEST(PolicyMutation, SharedLists_AreLimited) {
  std::string shared = "[0]";
  for (int i = 0; i < 7; ++i) absl::StrAppend(&shared, ".map(a, [a,a,a,a,a,a,a,a,a,a])");
  EXPECT_THAT(Mutated(PolicyExpression::kApplyConfiguration,
                      absl::StrCat("Object{spec: Object.spec{containers: ", shared, "}}")),
              HasSubstr("value is greater than 3145728 bytes"));
  EXPECT_THAT(Mutated(PolicyExpression::kJsonPatch,
                      absl::StrCat("[JSONPatch{op: 'add', path: '/a', value: ", shared, "}]")),
              HasSubstr("value is greater than 3145728 bytes"));
}

}  // namespace
}  // namespace kube::apiserver::internal
