#include "apiserver/policies/policy_mutation.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/cel/object_value.h"
#include "apimachinery/cel/value.h"
#include "apimachinery/managedfields/merge.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/validate.h"
#include "apimachinery/patch/json_patch.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

namespace kube::apiserver::internal {
namespace {

using managedfields::Schema;
using unstructured::Value;

// ---- names of types

constexpr int kMaxDepth = 1'000;

// Appends what is wrong with the type of a value at `path`, such as "Object.spec", and of its
// parts. Lists and maps have no names. Values may share their parts, so each part and each path is
// taken from `budget`.
absl::Status CheckTypeNames(const cel::Value& value, const std::string& path, int depth,
                            cel::JsonBudget& budget, std::vector<std::string>& wrong) {
  if (depth > kMaxDepth) return absl::InvalidArgumentError("value is nested too deeply");
  KUBE_RETURN_IF_ERROR(budget.Take(2));
  if (const cel::ObjectValue* object = cel::ObjectOf(value)) {
    const std::string& name = object->type()->name;
    if (name != path) {
      KUBE_RETURN_IF_ERROR(budget.Take(name.size() + path.size()));
      wrong.push_back(absl::StrCat("unexpected type name ", text::Quoted(name), ", expected ",
                                   text::Quoted(path),
                                   ", which matches field name path from root Object type"));
    }
    for (const auto& [field, member] : object->fields()) {
      KUBE_RETURN_IF_ERROR(budget.Take(path.size() + field.size()));
      KUBE_RETURN_IF_ERROR(
          CheckTypeNames(member, absl::StrCat(path, ".", field), depth + 1, budget, wrong));
    }
  } else if (value.is_list()) {
    for (size_t i = 0; i < value.list().size(); ++i) {
      KUBE_RETURN_IF_ERROR(CheckTypeNames(value.list().At(i), path, depth + 1, budget, wrong));
    }
  } else if (value.is_map()) {
    for (const cel::Value& key : value.map().Keys()) {
      const std::optional<cel::Value> member = value.map().Find(key);
      if (!member.has_value()) continue;
      KUBE_RETURN_IF_ERROR(CheckTypeNames(*member, path, depth + 1, budget, wrong));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckTypeNames(const cel::Value& value, cel::JsonBudget& budget) {
  const cel::ObjectValue* const object = cel::ObjectOf(value);
  if (object == nullptr) return absl::OkStatus();
  std::vector<std::string> wrong;
  KUBE_RETURN_IF_ERROR(CheckTypeNames(value, object->type()->name, /*depth=*/0, budget, wrong));
  if (wrong.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("type mismatch: ", absl::StrJoin(wrong, "\n")));
}

// ---- configurations

// Appends the paths of lists and maps in `value` that are owned as a whole: what the configuration
// leaves out of them would be removed.
void FindAtomics(const Value& value, const Schema& schema, const std::string& path,
                 std::vector<std::string>& found) {
  if (value.is_object() && schema.map != nullptr) {
    if (schema.map->atomic) found.push_back(path);
    for (const auto& [name, member] : *value.object()) {
      const Schema* const field = schema.map->FindField(name.view());
      if (field != nullptr) {
        FindAtomics(member, *field, absl::StrCat(path, ".", name.view()), found);
      }
    }
  }
  if (value.is_list() && schema.list != nullptr) {
    if (!schema.list->associative) found.push_back(path);
    const List<Value>& elements = *value.list();
    for (size_t i = 0; i < elements.size(); ++i) {
      FindAtomics(elements[i], *schema.list->element, absl::StrCat(path, "[", i, "]"), found);
    }
  }
}

absl::StatusOr<Value> Merged(const Value& object, const Schema& schema,
                             const Value& configuration) {
  KUBE_RETURN_IF_ERROR(managedfields::Validate(configuration, schema),
                       "failed to convert patch object to typed object");
  std::vector<std::string> atomics;
  FindAtomics(configuration, schema, "", atomics);
  if (!atomics.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ",
                     absl::StrJoin(atomics, ", ")));
  }
  KUBE_RETURN_IF_ERROR(managedfields::Validate(object, schema, {.allow_duplicates = true}),
                       "failed to convert original object to typed object");
  KUBE_ASSIGN_OR_RETURN(Value merged, managedfields::Merge(object, configuration, schema),
                        "failed to merge patch");
  return merged;
}

// ---- patches

// Returns "" if the patch has no such field.
absl::StatusOr<std::string> TextField(const cel::ObjectValue& patch, absl::string_view name) {
  const cel::Value* const field = patch.Find(name);
  if (field == nullptr) return std::string();
  if (field->is_string()) return std::string(field->text());
  return absl::InvalidArgumentError(absl::StrCat("unexpected type ", field->type()->name,
                                                 " for JSONPatchType '", name, "' field"));
}

absl::StatusOr<patch::JsonPatchOp> OpOf(absl::string_view op) {
  using patch::JsonPatchOp;
  constexpr std::pair<absl::string_view, JsonPatchOp> kOps[] = {
      {"add", JsonPatchOp::kAdd},         {"remove", JsonPatchOp::kRemove},
      {"replace", JsonPatchOp::kReplace}, {"move", JsonPatchOp::kMove},
      {"copy", JsonPatchOp::kCopy},       {"test", JsonPatchOp::kTest}};
  for (const auto& [name, value] : kOps) {
    if (name == op) return value;
  }
  return absl::InvalidArgumentError(absl::StrCat("JSON Patch: Unexpected kind: ", op));
}

// The limits of all operations of a patch together.
struct PatchBudget {
  cel::JsonBudget names = cel::JsonBudget();
  cel::JsonBudget json = cel::JsonBudget();
};

absl::StatusOr<patch::JsonPatchOperation> OperationOf(const cel::Value& value,
                                                      PatchBudget& budget) {
  const cel::ObjectValue* const made = cel::ObjectOf(value);
  if (made == nullptr || made->type()->name != "JSONPatch") {
    return absl::InvalidArgumentError(
        "type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch");
  }
  patch::JsonPatchOperation operation;
  KUBE_ASSIGN_OR_RETURN(const std::string op, TextField(*made, "op"));
  KUBE_ASSIGN_OR_RETURN(operation.op, OpOf(op));
  KUBE_ASSIGN_OR_RETURN(operation.path, TextField(*made, "path"));
  KUBE_ASSIGN_OR_RETURN(operation.from, TextField(*made, "from"));
  KUBE_RETURN_IF_ERROR(budget.json.Take(op.size() + operation.path.size() + operation.from.size()));
  const cel::Value* const field = made->Find("value");
  if (field == nullptr) return operation;
  KUBE_RETURN_IF_ERROR(CheckTypeNames(*field, budget.names));
  KUBE_ASSIGN_OR_RETURN(
      Value json, cel::ToJson(*field, budget.json),
      "JSONPath valueExpression evaluated to a type that could not marshal to JSON");
  operation.value = std::move(json);
  return operation;
}

}  // namespace

absl::StatusOr<Value> MergeConfiguration(const Value& object, const Schema& schema,
                                         const cel::Value& value) {
  cel::JsonBudget names;
  KUBE_RETURN_IF_ERROR(CheckTypeNames(value, names));
  KUBE_ASSIGN_OR_RETURN(Value configuration, cel::ToJson(value), "invalid return type");
  if (!configuration.is_object()) return absl::InvalidArgumentError("invalid return type");
  Map<Value>& members = *configuration.object();
  members["apiVersion"] = object["apiVersion"];
  members["kind"] = object["kind"];
  KUBE_ASSIGN_OR_RETURN(Value merged, Merged(object, schema, configuration),
                        "error applying patch");
  return merged;
}

absl::StatusOr<Value> ApplyPatches(const Value& object, const cel::Value& value) {
  if (!value.is_list()) {
    return absl::InvalidArgumentError(
        "type mismatch: JSONPatchType.expression should evaluate to array");
  }
  PatchBudget budget;
  patch::JsonPatch operations;
  for (size_t i = 0; i < value.list().size(); ++i) {
    KUBE_ASSIGN_OR_RETURN(patch::JsonPatchOperation operation,
                          OperationOf(value.list().At(i), budget));
    operations.push_back(std::move(operation));
  }
  absl::StatusOr<Value> patched = patch::ApplyJsonPatch(object, operations);
  if (absl::IsFailedPrecondition(patched.status())) return object;
  if (!patched.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("JSON Patch: ", patched.status().message()));
  }
  return patched;
}

}  // namespace kube::apiserver::internal
