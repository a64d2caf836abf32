#include "apiserver/webhooks/admitted_object.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>
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
#include "apimachinery/meta/accessor.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/custom_kind.h"
#include "apiserver/defaults/defaults.h"
#include "apiserver/encoding/custom_input.h"
#include "apiserver/encoding/input.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "apiserver/strategy/conversion.h"
#include "apiserver/strategy/custom.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;
using unstructured::Unstructured;
using unstructured::Value;

// Returns a custom resource in another version of its definition, or unchanged if it cannot be
// converted without a webhook.
absl::StatusOr<Object> CustomIn(const Resource& resource, const Object& object) {
  const CustomKind& custom = *resource.custom;
  if (object.kind().version == custom.kind().version) return object.Copy();
  absl::StatusOr<Unstructured> converted = InVersion(custom, object.ToUnstructured());
  if (!converted.ok() && custom.converter() != nullptr) return converted.status();
  if (!converted.ok()) return object.Copy();
  absl::StatusOr<Object> made = Object::MakeCustom(
      std::shared_ptr<const KindInfo>(resource.custom, &custom.kind()), *std::move(converted));
  if (!made.ok()) return object.Copy();
  return made;
}

}  // namespace

const codec::AnyObject& AdmittedObject::any() const {
  const Object* const of = object();
  return of != nullptr ? of->any() : std::get<codec::AnyObject>(object_);
}

AdmittedObject AdmittedObject::Copy() const {
  if (const Object* const of = object()) return AdmittedObject(of->Copy());
  return AdmittedObject(any().Copy());
}

const KindInfo& AdmittedObject::kind() const { return any().kind(); }

const Map<String>* AdmittedObject::labels() const {
  if (const Object* const of = object()) return &of->metadata().labels;
  const metav1::ObjectMeta* const metadata = meta::MetadataOf(any());
  return metadata == nullptr ? nullptr : &metadata->labels;
}

absl::string_view AdmittedObject::name() const {
  if (const Object* const of = object()) return of->metadata().name.view();
  const metav1::ObjectMeta* const metadata = meta::MetadataOf(any());
  return metadata == nullptr ? absl::string_view() : metadata->name.view();
}

absl::StatusOr<Value> AdmittedObject::ToValue() const {
  const Object* const of = object();
  if (of != nullptr && of->is_custom()) return Value(of->ToUnstructured().object);
  const KindInfo& type = kind();
  KUBE_ASSIGN_OR_RETURN(Value value, unstructured::ToValue(any().data(), *type.message));
  Map<Value>& members = *value.object();
  members["kind"] = std::string(type.kind);
  members["apiVersion"] = absl::StrCat(type.group, type.group.empty() ? "" : "/", type.version);
  return value;
}

absl::StatusOr<AdmittedObject> AdmittedObject::FromValue(Value value, const Resource& resource,
                                                         bool strict) const {
  if (const Object* const of = object(); of != nullptr && of->is_custom()) {
    std::vector<std::string> ignored;
    KUBE_ASSIGN_OR_RETURN(
        Object custom, CustomFromPatch(std::move(value), resource, FieldPolicy::kIgnore, &ignored));
    return AdmittedObject(std::move(custom));
  }
  KUBE_ASSIGN_OR_RETURN(const std::string json, unstructured::EncodeJson(value));
  KUBE_ASSIGN_OR_RETURN(const codec::TypeMeta sent, codec::TypeMetaOfJson(json));
  const std::string mismatch = KindMismatch(sent, kind());
  if (!mismatch.empty()) return absl::InvalidArgumentError(mismatch);
  std::vector<std::string> wrong;
  KUBE_ASSIGN_OR_RETURN(codec::AnyObject decoded,
                        DecodeText(json, kind(), strict ? &wrong : nullptr));
  if (!wrong.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("strict decoding error: ", absl::StrJoin(wrong, ", ")));
  }
  SetDefaults(decoded);
  if (object() != nullptr) return AdmittedObject(Object(std::move(decoded)));
  return AdmittedObject(std::move(decoded));
}

absl::StatusOr<AdmittedObject> AdmittedObject::In(const Resource& resource) const {
  const Object* const of = object();
  if (of == nullptr) return Copy();
  if (of->is_custom()) {
    KUBE_ASSIGN_OR_RETURN(Object custom, CustomIn(resource, *of));
    return AdmittedObject(std::move(custom));
  }
  return AdmittedObject(Converted(of->Copy(), *resource.kind));
}

}  // namespace kube::apiserver::internal
