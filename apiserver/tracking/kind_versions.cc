#include "apiserver/tracking/kind_versions.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/table_schema.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/custom_kind.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "apiserver/strategy/conversion.h"
#include "apiserver/strategy/custom.h"
#include "apiserver/tracking/object_value.h"

namespace kube::apiserver::internal {

using managedfields::Schema;
using unstructured::Value;

const Resource* KindVersions::Find(absl::string_view api_version) const {
  if (api_version == resource_.ApiVersion()) return &resource_;
  const Resource* other = resources_.FindKind(api_version, resource_.kind->kind);
  return other != nullptr && other->storage == resource_.storage ? other : nullptr;
}

const Schema* KindVersions::SchemaOf(absl::string_view api_version) const {
  const Resource* version = Find(api_version);
  if (version == nullptr) return nullptr;
  if (version->custom != nullptr) return &version->custom->merge_schema();
  return &managedfields::SchemaOf(*version->kind->message);
}

absl::StatusOr<Value> KindVersions::Convert(const Value& object,
                                            absl::string_view api_version) const {
  const Resource* from = Find(object["apiVersion"].text().value_or(""));
  const Resource* to = Find(api_version);
  if (from == nullptr || to == nullptr) {
    return absl::NotFoundError(
        absl::StrCat("convert ", resource_.kind->kind, " to ", api_version, ": no such version"));
  }
  KUBE_ASSIGN_OR_RETURN(Object typed, ToObject(*from, object));
  if (to->custom == nullptr) return ToValue(*to, Converted(std::move(typed), *to->kind));
  KUBE_ASSIGN_OR_RETURN(unstructured::Unstructured custom,
                        InVersion(*to->custom, typed.ToUnstructured()));
  return Value(std::move(custom.object));
}

}  // namespace kube::apiserver::internal
