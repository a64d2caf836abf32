#include "apimachinery/patch/strategic_merge_patch.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/patch/internal/patch_schema.h"
#include "apimachinery/patch/internal/strategic_conflicts.h"
#include "apimachinery/patch/internal/strategic_diff.h"
#include "apimachinery/patch/internal/strategic_merge.h"
#include "apimachinery/patch/preconditions.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::patch {
namespace {

using kube::table::Message;
using unstructured::Value;

constexpr absl::string_view kMakePatch = "make strategic merge patch";
constexpr absl::string_view kApplyPatch = "apply strategic merge patch";

absl::Status CheckObject(const Value& value, absl::string_view what) {
  if (value.is_object()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(what, " is not an object"));
}

absl::StatusOr<Value> MakeTwoWay(const Value& original, const Value& modified,
                                 const Message& message,
                                 const StrategicMergePatchOptions& options) {
  KUBE_RETURN_IF_ERROR(CheckObject(original, "the original"));
  KUBE_RETURN_IF_ERROR(CheckObject(modified, "the modified object"));
  KUBE_ASSIGN_OR_RETURN(
      Value patch,
      internal::DiffStrategically(*original.object(), *modified.object(),
                                  internal::PatchSchema(message), {.set_element_order = true}));
  KUBE_RETURN_IF_ERROR(internal::CheckPreconditions(options.preconditions, patch));
  return patch;
}

// Merges what is changed or new from current to modified into what is removed from original to
// modified.
absl::StatusOr<Value> MakeThreeWay(const Value& original, const Value& modified,
                                   const Value& current, const Message& message,
                                   const ThreeWayMergePatchOptions& options) {
  KUBE_RETURN_IF_ERROR(CheckObject(original, "the original"));
  KUBE_RETURN_IF_ERROR(CheckObject(modified, "the modified object"));
  KUBE_RETURN_IF_ERROR(CheckObject(current, "the current object"));
  const internal::PatchSchema schema(message);
  KUBE_ASSIGN_OR_RETURN(
      Map<Value> changes,
      internal::DiffStrategically(*current.object(), *modified.object(), schema,
                                  {.set_element_order = true, .ignore_deletions = true}));
  KUBE_ASSIGN_OR_RETURN(Map<Value> patch,
                        internal::DiffStrategically(
                            *original.object(), *modified.object(), schema,
                            {.set_element_order = true, .ignore_changes_and_additions = true}));
  KUBE_RETURN_IF_ERROR(
      internal::MergeStrategically(patch, changes, schema, internal::MergeTarget::kPatch));
  Value result = std::move(patch);
  KUBE_RETURN_IF_ERROR(internal::CheckPreconditions(options.preconditions, result));
  if (options.overwrite) return result;
  KUBE_ASSIGN_OR_RETURN(
      const Map<Value> meanwhile,
      internal::DiffStrategically(*original.object(), *current.object(), schema, {}));
  KUBE_ASSIGN_OR_RETURN(const std::optional<std::string> conflict,
                        internal::FindStrategicConflict(*result.object(), meanwhile, schema));
  if (conflict.has_value()) return internal::ConflictError(*conflict);
  return result;
}

absl::StatusOr<Value> Apply(Value object, Value patch, const Message& message) {
  KUBE_RETURN_IF_ERROR(CheckObject(object, "the object"));
  KUBE_RETURN_IF_ERROR(CheckObject(patch, "the patch"));
  KUBE_RETURN_IF_ERROR(internal::MergeStrategically(*object.object(), *patch.object(),
                                                    internal::PatchSchema(message),
                                                    internal::MergeTarget::kObject));
  return object;
}

}  // namespace

absl::StatusOr<Value> MakeStrategicMergePatch(const Value& original, const Value& modified,
                                              const KindInfo& kind,
                                              const StrategicMergePatchOptions& options) {
  return MakeStrategicMergePatch(original, modified, *kind.message, options);
}

absl::StatusOr<Value> MakeThreeWayStrategicMergePatch(const Value& original, const Value& modified,
                                                      const Value& current, const KindInfo& kind,
                                                      const ThreeWayMergePatchOptions& options) {
  KUBE_ASSIGN_OR_RETURN(
      Value patch, MakeThreeWay(original, modified, current, *kind.message, options), kMakePatch);
  return patch;
}

absl::StatusOr<Value> ApplyStrategicMergePatch(Value object, Value patch, const KindInfo& kind) {
  return internal::ApplyStrategicMergePatch(std::move(object), std::move(patch), *kind.message);
}

absl::StatusOr<bool> StrategicMergePatchesConflict(const Value& left, const Value& right,
                                                   const KindInfo& kind) {
  KUBE_RETURN_IF_ERROR(CheckObject(left, "the first patch"));
  KUBE_RETURN_IF_ERROR(CheckObject(right, "the second patch"));
  KUBE_ASSIGN_OR_RETURN(const std::optional<std::string> conflict,
                        internal::FindStrategicConflict(*left.object(), *right.object(),
                                                        internal::PatchSchema(*kind.message)));
  return conflict.has_value();
}

absl::StatusOr<Value> MakeStrategicMergePatch(const Value& original, const Value& modified,
                                              const Message& message,
                                              const StrategicMergePatchOptions& options) {
  KUBE_ASSIGN_OR_RETURN(Value patch, MakeTwoWay(original, modified, message, options), kMakePatch);
  return patch;
}

namespace internal {

absl::StatusOr<std::string> MakeStrategicMergePatch(const void* original, const void* modified,
                                                    const Message& message,
                                                    const StrategicMergePatchOptions& options) {
  KUBE_ASSIGN_OR_RETURN(const Value before, unstructured::ToValue(original, message));
  KUBE_ASSIGN_OR_RETURN(const Value after, unstructured::ToValue(modified, message));
  KUBE_ASSIGN_OR_RETURN(const Value patch,
                        patch::MakeStrategicMergePatch(before, after, message, options));
  return unstructured::EncodeJson(patch);
}

absl::StatusOr<Value> ApplyStrategicMergePatch(Value object, Value patch, const Message& message) {
  KUBE_ASSIGN_OR_RETURN(Value result, Apply(std::move(object), std::move(patch), message),
                        kApplyPatch);
  return result;
}

absl::Status ApplyStrategicMergePatch(void* to, const void* object, const Message& message,
                                      absl::string_view patch,
                                      const codec::DecodeOptions& options) {
  KUBE_ASSIGN_OR_RETURN(Value change, unstructured::ParseJson(patch), kApplyPatch);
  KUBE_ASSIGN_OR_RETURN(Value before, unstructured::ToValue(object, message));
  KUBE_ASSIGN_OR_RETURN(const Value after,
                        ApplyStrategicMergePatch(std::move(before), std::move(change), message));
  return unstructured::FromValue(after, to, message, options);
}

}  // namespace internal

}  // namespace kube::patch
