#include "apiserver/encoding/patcher.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/type_meta.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/patch/json_patch.h"
#include "apimachinery/patch/merge_patch.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/patch/strategic_merge_patch.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/go_format.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apiserver/defaults/defaults.h"
#include "apiserver/encoding/custom_input.h"
#include "apiserver/encoding/input.h"
#include "apiserver/encoding/restore_error.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"

namespace kube::apiserver::internal {
namespace {

namespace field = validation::field;
using unstructured::Value;

absl::Status BadPatch(absl::string_view cause) {
  return errors::BadRequest(absl::StrCat("error decoding patch: ", cause));
}

// As upstream, the client is not told why a JSON patch cannot be applied.
absl::Status Rejected() {
  api::meta::v1::Status status;
  status.status = "Failure";
  status.reason = "Invalid";
  status.message = "the server rejected our request due to an error in our request";
  status.details.emplace();
  status.code = 422;
  return errors::FromStatus(status);
}

absl::StatusOr<Value> ValueOf(const codec::AnyObject& object) {
  absl::StatusOr<Value> value = unstructured::ToValue(object.data(), *object.kind().message);
  if (!value.ok()) return errors::InternalError(value.status().message());
  const KindInfo& kind = object.kind();
  // As JSON, an API object includes its type.
  Map<Value>& members = *value->object();
  members["kind"] = std::string(kind.kind);
  members["apiVersion"] = absl::StrCat(kind.group, kind.group.empty() ? "" : "/", kind.version);
  return value;
}

}  // namespace

absl::StatusOr<Patcher> Patcher::Make(patch::PatchType type, absl::string_view body,
                                      const KindInfo& kind, FieldPolicy policy) {
  Patcher patcher(type, kind, policy);
  if (type == patch::PatchType::kJson) {
    absl::StatusOr<patch::JsonPatch> operations = patch::ParseJsonPatch(body);
    if (operations.ok()) {
      patcher.operations_ = *std::move(operations);
      return patcher;
    }
    // As upstream, invalid operations in a list are only found when the patch is applied.
    const absl::StatusOr<Value> value = unstructured::ParseJson(body);
    return value.ok() && value->is_list() ? Rejected() : BadPatch(operations.status().message());
  }
  absl::StatusOr<Value> merge = unstructured::ParseJson(body);
  // As upstream, where the three types of patches are parsed in different places.
  if (!merge.ok() && type == patch::PatchType::kStrategicMerge) {
    return errors::BadRequest(merge.status().message());
  }
  if (!merge.ok()) return BadPatch(merge.status().message());
  if (merge->is_null() && type == patch::PatchType::kMerge) {
    return errors::BadRequest("Invalid JSON Patch");
  }
  if (!merge->is_object()) return BadPatch("expected an object");
  patcher.merge_ = *std::move(merge);
  return patcher;
}

absl::StatusOr<Value> Patcher::ApplyTo(Value object) const {
  switch (type_) {
    case patch::PatchType::kJson: {
      absl::StatusOr<Value> patched = patch::ApplyJsonPatch(std::move(object), operations_);
      if (!patched.ok()) return Rejected();
      return patched;
    }
    case patch::PatchType::kMerge: {
      absl::StatusOr<Value> patched = patch::ApplyMergePatch(std::move(object), merge_);
      if (!patched.ok()) return BadPatch(patched.status().message());
      return patched;
    }
    default: {
      absl::StatusOr<Value> patched =
          patch::ApplyStrategicMergePatch(std::move(object), merge_, *kind_);
      if (!patched.ok()) return errors::BadRequest(patched.status().message());
      return patched;
    }
  }
}

// As upstream, the error shows a strategic merge patch itself, in Go's format, but the result of
// other patches.
absl::Status Patcher::Unfit(const Value& patched, absl::string_view cause) const {
  std::string text;
  if (type_ == patch::PatchType::kStrategicMerge) {
    text = unstructured::FormatAsGo(merge_);
  } else if (absl::StatusOr<std::string> json = unstructured::EncodeJson(patched); json.ok()) {
    text = *std::move(json);
  }
  return errors::Invalid(schema::GroupKind{}, "",
                         field::ErrorList{field::Invalid(field::Path("patch"), text, cause)});
}

absl::StatusOr<codec::AnyObject> Patcher::Apply(const codec::AnyObject& current,
                                                std::vector<std::string>* warnings) const {
  KUBE_ASSIGN_OR_RETURN(Value value, ValueOf(current));
  KUBE_ASSIGN_OR_RETURN(const Value patched, ApplyTo(std::move(value)));
  if (type_ == patch::PatchType::kStrategicMerge) {
    const std::string error = RestoreError(patched, *kind_->message);
    if (!error.empty()) return Unfit(patched, error);
  }
  const absl::StatusOr<std::string> json = unstructured::EncodeJson(patched);
  if (!json.ok()) return Unfit(patched, json.status().message());
  if (const absl::StatusOr<codec::TypeMeta> sent = codec::TypeMetaOfJson(*json); sent.ok()) {
    const std::string mismatch = KindMismatch(*sent, *kind_);
    if (!mismatch.empty()) return Unfit(patched, mismatch);
  }
  std::vector<std::string> found;
  absl::StatusOr<codec::AnyObject> object =
      DecodeText(*json, *kind_, policy_ == FieldPolicy::kIgnore ? nullptr : &found);
  if (!object.ok()) return Unfit(patched, object.status().message());
  if (policy_ == FieldPolicy::kStrict && !found.empty()) {
    return Unfit(patched, absl::StrCat("strict decoding error: ", absl::StrJoin(found, ", ")));
  }
  for (std::string& each : found) warnings->push_back(std::move(each));
  SetDefaults(*object);
  return object;
}

absl::StatusOr<Object> Patcher::Apply(const Resource& resource, const StoredObject& current,
                                      std::vector<std::string>* warnings) const {
  if (resource.custom == nullptr) {
    KUBE_ASSIGN_OR_RETURN(codec::AnyObject patched, Apply(current.object().any(), warnings));
    return Object(std::move(patched));
  }
  KUBE_ASSIGN_OR_RETURN(const Value patched,
                        ApplyTo(Value(current.object().ToUnstructured().object)));
  absl::StatusOr<Object> object = CustomFromPatch(patched, resource, policy_, warnings);
  if (object.ok() || errors::StatusOf(object.status()).has_value()) return object;
  return Unfit(patched, object.status().message());
}

}  // namespace kube::apiserver::internal
