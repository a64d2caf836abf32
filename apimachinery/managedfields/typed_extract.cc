#include "apimachinery/managedfields/typed_extract.h"

#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/reflect.h"
#include "apimachinery/managedfields/extract.h"
#include "apimachinery/managedfields/field_manager.h"
#include "apimachinery/managedfields/table_schema.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields::internal {

namespace metav1 = api::meta::v1;
using kube::table::Message;
using unstructured::Value;

namespace {

// Returns null if the object has no metadata.
const metav1::ObjectMeta* MetadataOf(const void* object, const Message& message) {
  const codec::ValueView view(
      object, {.kind = kube::table::Kind::kMessage, .size = message.size, .message = &message},
      kube::table::Shape::kValue);
  const std::optional<codec::ValueView> metadata = view.Member("metadata");
  return metadata.has_value() ? metadata->As<metav1::ObjectMeta>() : nullptr;
}

}  // namespace

absl::StatusOr<Value> ExtractOwned(const void* object, const Message& message,
                                   absl::string_view api_version, absl::string_view kind,
                                   absl::string_view manager, absl::string_view subresource) {
  TrackedObject tracked;
  KUBE_ASSIGN_OR_RETURN(tracked.object, unstructured::ToValue(object, message),
                        "extract fields of ", manager, " from ", kind);
  if (Map<Value>* members = tracked.object.object(); members != nullptr) {
    // Objects from typed clients do not have these.
    (*members)["apiVersion"] = api_version;
    (*members)["kind"] = kind;
    unstructured::RemoveNestedField(*members, {"metadata", "managedFields"});
  }
  if (const metav1::ObjectMeta* metadata = MetadataOf(object, message); metadata != nullptr) {
    tracked.managed_fields = metadata->managed_fields;
  }
  return managedfields::ExtractOwned(tracked, SchemaOf(message), manager, subresource);
}

}  // namespace kube::managedfields::internal
