#include "apiserver/tracking/object_write.h"

#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/managedfields/comparison.h"
#include "apimachinery/managedfields/typed_compare.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/custom_kind.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "apiserver/strategy/custom.h"
#include "apiserver/tracking/object_value.h"

namespace kube::apiserver::internal {
namespace {

using managedfields::Comparison;
using managedfields::CustomObject;
using unstructured::Unstructured;
using unstructured::Value;

std::optional<Object> EmptyUnless(bool has_live, const Resource& resource) {
  if (has_live) return std::nullopt;
  return NewObject(resource);
}

CustomObject PartsOf(const Object& object) {
  return {.members = &object.As<Unstructured>()->object, .metadata = &object.metadata()};
}

absl::StatusOr<Value> ToUntrackedValue(const Resource& resource, const Object& object) {
  KUBE_ASSIGN_OR_RETURN(Value value, ToValue(resource, object));
  unstructured::RemoveNestedField(*value.object(), {"metadata", "managedFields"});
  return value;
}

}  // namespace

ObjectWrite::ObjectWrite(const Resource& resource, const Object* live, const Object& object)
    : resource_(resource),
      live_(live),
      empty_(EmptyUnless(live != nullptr, resource)),
      before_(live != nullptr ? *live : *empty_),
      object_(object) {}

const api::meta::v1::ObjectMeta* ObjectWrite::metadata_before() const {
  return live_ == nullptr ? nullptr : &live_->metadata();
}

absl::StatusOr<Comparison> ObjectWrite::Compare() const {
  const KindInfo& kind = object_.kind();
  if (before_.kind().message != kind.message || before_.is_custom() != object_.is_custom()) {
    return absl::InternalError(
        absl::StrCat("compare a ", before_.kind().kind, " with a ", kind.kind));
  }
  if (object_.is_custom()) {
    return managedfields::CompareCustom(PartsOf(before_), PartsOf(object_),
                                        resource_.custom->merge_schema());
  }
  return managedfields::CompareTyped(before_.any().data(), object_.any().data(), *kind.message);
}

absl::StatusOr<Value> ObjectWrite::Before() const { return ToUntrackedValue(resource_, before_); }

absl::StatusOr<Value> ObjectWrite::After() const { return ToUntrackedValue(resource_, object_); }

}  // namespace kube::apiserver::internal
