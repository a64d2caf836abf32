#ifndef APIMACHINERY_UNSTRUCTURED_UNSTRUCTURED_H_
#define APIMACHINERY_UNSTRUCTURED_UNSTRUCTURED_H_

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/lifetime.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/time.h"
#include "apimachinery/unstructured/value.h"

namespace kube::unstructured {

// An API object of any kind, also of a kind for which the program has no type: its JSON as a tree,
// and accessors for the members that all objects have (client-go: `unstructured.Unstructured`).
//
//   KUBE_ASSIGN_OR_RETURN(Unstructured certificate, DecodeUnstructured(body));
//   certificate.set_labels({{"team", "web"}});
//   KUBE_RETURN_IF_ERROR(SetNestedField(certificate.object, "2160h", {"spec", "duration"}));
//   return codec::EncodeJson(certificate);
//
// For the codec it is an API struct like any other, which EncodeJson, SharedDecoder, ListReader,
// WatchReader and DeepSize accept; in caches it takes one block and shares values with other
// objects. Unlike DecodeUnstructured, these do not require a kind. It has no protobuf form.
//
// Objects from elsewhere may have any shape. Read members with Find or the functions of nested.h,
// and write them with SetNestedField, which returns an error if for example `spec` is a string.
//
// The accessors behave as upstream's. Getters return an empty value if the member is absent or has
// another type. Setters remove the member if the new value is an empty string, or a null list or
// map, except for apiVersion and kind; they do nothing if "metadata" exists and is not an object.
// Thread-compatible.
struct Unstructured {
  // The members. Null until one is set. (client-go: `Unstructured.Object`)
  Map<Value> object;

  // ---- the kind of the object

  absl::string_view api_version() const KUBE_LIFETIME_BOUND;
  void set_api_version(absl::string_view value);
  absl::string_view kind() const KUBE_LIFETIME_BOUND;
  void set_kind(absl::string_view value);
  // Empty if the apiVersion is malformed (client-go: `GroupVersionKind`, `SetGroupVersionKind`).
  schema::GroupVersionKind gvk() const;
  void set_gvk(const schema::GroupVersionKind& gvk);

  // ---- metadata

  absl::string_view name() const KUBE_LIFETIME_BOUND;
  void set_name(absl::string_view value);
  absl::string_view generate_name() const KUBE_LIFETIME_BOUND;
  void set_generate_name(absl::string_view value);
  absl::string_view namespace_name() const KUBE_LIFETIME_BOUND;
  void set_namespace(absl::string_view value);
  absl::string_view uid() const KUBE_LIFETIME_BOUND;
  void set_uid(absl::string_view value);
  absl::string_view resource_version() const KUBE_LIFETIME_BOUND;
  void set_resource_version(absl::string_view value);
  absl::string_view self_link() const KUBE_LIFETIME_BOUND;
  void set_self_link(absl::string_view value);

  int64_t generation() const;
  void set_generation(int64_t value);
  // The zero time means that the object is not created yet.
  Time creation_timestamp() const;
  void set_creation_timestamp(Time value);
  std::optional<Time> deletion_timestamp() const;
  void set_deletion_timestamp(std::optional<Time> value);
  std::optional<int64_t> deletion_grace_period_seconds() const;
  void set_deletion_grace_period_seconds(std::optional<int64_t> value);

  // The getters return copies, which are null if there is no such member. As upstream, they are
  // null as well if one element has the wrong type, such as a label that is not a string.
  Map<String> labels() const;
  void set_labels(const Map<String>& value);
  Map<String> annotations() const;
  void set_annotations(const Map<String>& value);
  List<String> finalizers() const;
  void set_finalizers(const List<String>& value);
  List<api::meta::v1::OwnerReference> owner_references() const;
  void set_owner_references(const List<api::meta::v1::OwnerReference>& value);
  List<api::meta::v1::ManagedFieldsEntry> managed_fields() const;
  void set_managed_fields(const List<api::meta::v1::ManagedFieldsEntry>& value);

  // ---- lists that were decoded as one object

  // Returns whether there is a member "items" that is a list.
  bool IsList() const;
  // Calls `on_item` with each item, and stops at its first error, which is returned. Returns
  // INVALID_ARGUMENT if this is not a list, or an item is not an object. The items are part of this
  // object.
  absl::Status EachListItem(absl::FunctionRef<absl::Status(const Unstructured&)> on_item) const;

  static const kube::table::Message kMessage;
  friend bool operator==(const Unstructured& a, const Unstructured& b) {
    return a.object == b.object;
  }
  friend std::ostream& operator<<(std::ostream& out, const Unstructured& value);
  template <typename H>
  friend H AbslHashValue(H h, const Unstructured& value) {
    return H::combine(std::move(h), value.object);
  }
};
static_assert(sizeof(Unstructured) == sizeof(Map<Value>));

}  // namespace kube::unstructured

#endif  // APIMACHINERY_UNSTRUCTURED_UNSTRUCTURED_H_
