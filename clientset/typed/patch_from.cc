#include "clientset/typed/patch_from.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/patch/json_patch.h"
#include "apimachinery/patch/merge_patch.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/patch/strategic_merge_patch.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "clientset/typed/internal/body.h"

namespace kube::typed::internal {

using unstructured::Value;

namespace {

absl::Status CheckOptions(const ObjectId& id, const kube::table::Message& message,
                          const PatchFromOptions& options) {
  if (options.type == patch::PatchType::kApply) {
    return absl::InvalidArgumentError("an apply configuration is no difference of two objects");
  }
  // The rules for merging lists are those of the type.
  if (options.type == patch::PatchType::kStrategicMerge && IsUnstructured(message)) {
    return absl::InvalidArgumentError(
        "a strategic merge patch needs a type with fields; use a merge patch");
  }
  if (options.optimistic_lock && id.resource_version.empty()) {
    return absl::InvalidArgumentError(
        "cannot use OptimisticLock, object does not have any resource version we can use");
  }
  return absl::OkStatus();
}

// Sets a field of the metadata that the server compares with its object: another resource version
// is a conflict, another UID is invalid.
absl::Status SetMetadata(Map<Value>& patch, absl::string_view field, const std::string& value) {
  Value& metadata = patch["metadata"];
  if (metadata.is_null()) metadata = Map<Value>::Empty();
  return unstructured::SetNestedField(patch, value, {"metadata", field});
}

// Returns a patch whose format is an object, or "" if there is no difference.
absl::StatusOr<std::string> MergeText(const Value& from, const Value& to, const ObjectId& id,
                                      const kube::table::Message& message,
                                      const PatchFromOptions& options) {
  Value patch;
  if (options.type == patch::PatchType::kStrategicMerge) {
    KUBE_ASSIGN_OR_RETURN(patch, patch::MakeStrategicMergePatch(from, to, message, {}));
  } else {
    KUBE_ASSIGN_OR_RETURN(patch, patch::MakeMergePatch(from, to));
  }
  if (patch.object() == nullptr || patch.object()->empty()) return std::string();
  Map<Value>& members = *patch.object();
  if (!id.uid.empty()) KUBE_RETURN_IF_ERROR(SetMetadata(members, "uid", id.uid));
  if (options.optimistic_lock) {
    KUBE_RETURN_IF_ERROR(SetMetadata(members, "resourceVersion", id.resource_version));
  }
  return unstructured::EncodeJson(patch);
}

// The same fields as operations. A test operation would do, too, but servers answer a test that
// fails as an object that is invalid, and not as a conflict.
absl::StatusOr<std::string> JsonText(const Value& from, const Value& to, const ObjectId& id,
                                     const PatchFromOptions& options) {
  KUBE_ASSIGN_OR_RETURN(patch::JsonPatch patch, patch::MakeJsonPatch(from, to));
  if (patch.empty()) return std::string();
  const auto set = [&patch](const char* path, const std::string& text) {
    patch.push_back(
        {.op = patch::JsonPatchOp::kAdd, .path = path, .from = {}, .value = Value(text)});
  };
  if (!id.uid.empty()) set("/metadata/uid", id.uid);
  if (options.optimistic_lock) set("/metadata/resourceVersion", id.resource_version);
  return patch::EncodeJsonPatch(patch);
}

}  // namespace

absl::StatusOr<ObjectPatch> MakePatchFrom(const void* before, const void* after,
                                          const kube::table::Message& message,
                                          const PatchFromOptions& options) {
  ObjectId id = IdOf(before, message);
  if (id.name.empty()) return absl::InvalidArgumentError("patch: name is required");
  KUBE_ASSIGN_OR_RETURN(const Value from, unstructured::ToValue(before, message), "patch ",
                        id.name);
  KUBE_ASSIGN_OR_RETURN(const Value to, unstructured::ToValue(after, message), "patch ", id.name);
  // An object that has not changed needs no version: nothing is sent.
  if (from == to) return ObjectPatch{.name = std::move(id.name), .type = options.type, .text = {}};
  KUBE_RETURN_IF_ERROR(CheckOptions(id, message, options), "patch ", id.name);
  std::string text;
  if (options.type == patch::PatchType::kJson) {
    KUBE_ASSIGN_OR_RETURN(text, JsonText(from, to, id, options), "patch ", id.name);
  } else {
    KUBE_ASSIGN_OR_RETURN(text, MergeText(from, to, id, message, options), "patch ", id.name);
  }
  return ObjectPatch{.name = std::move(id.name), .type = options.type, .text = std::move(text)};
}

}  // namespace kube::typed::internal
