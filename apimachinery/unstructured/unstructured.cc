#include "apimachinery/unstructured/unstructured.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/parse.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/table.h"
#include "apimachinery/types/time.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/value.h"

namespace kube::unstructured {
namespace {

using api::meta::v1::ManagedFieldsEntry;
using api::meta::v1::OwnerReference;
using kube::table::Field;

constexpr char kNames[] = "objectUnstructured\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
constexpr Field kFields[] = {kube::table::FieldOf<Map<Value>>(
    {.name = 0, .name_size = 6, .flags = 0, .offset = 0, .number = 0, .sub = 0})};

// As upstream's accessors, treats an error as an absent value.
template <typename T>
T OrEmpty(absl::StatusOr<std::optional<T>> value) {
  return value.ok() ? std::move(*value).value_or(T()) : T();
}

absl::string_view Text(const Map<Value>& object, FieldPath path) {
  return OrEmpty(NestedString(object, path));
}

std::optional<int64_t> Integer(const Map<Value>& object, FieldPath path) {
  const absl::StatusOr<std::optional<int64_t>> value = NestedInt64(object, path);
  return value.ok() ? *value : std::nullopt;
}

// As upstream, silently does nothing if "metadata" is not an object.
void Set(Map<Value>& object, Value value, absl::string_view member) {
  SetNestedField(object, std::move(value), {"metadata", member}).IgnoreError();
}

void Remove(Map<Value>& object, absl::string_view member) {
  RemoveNestedField(object, {"metadata", member});
}

void SetText(Map<Value>& object, absl::string_view text, absl::string_view member) {
  text.empty() ? Remove(object, member) : Set(object, text, member);
}

void SetInteger(Map<Value>& object, std::optional<int64_t> value, absl::string_view member) {
  value.has_value() ? Set(object, *value, member) : Remove(object, member);
}

Map<String> StringMap(const Map<Value>& object, absl::string_view member) {
  return OrEmpty(NestedNullCoercingStringMap(object, {"metadata", member}));
}

void SetStringMap(Map<Value>& object, const Map<String>& value, absl::string_view member) {
  if (value.is_null()) return Remove(object, member);
  SetNestedStringMap(object, value, {"metadata", member}).IgnoreError();
}

Time TimeOf(absl::string_view text) {
  const absl::StatusOr<Time> time = ParseTime(text);
  return time.ok() ? *time : Time();
}

OwnerReference OwnerReferenceOf(const Map<Value>& object) {
  OwnerReference reference = {.api_version = Text(object, {"apiVersion"}),
                              .kind = Text(object, {"kind"}),
                              .name = Text(object, {"name"}),
                              .uid = Text(object, {"uid"})};
  if (const Value* value = object.find("controller")) reference.controller = value->boolean();
  if (const Value* value = object.find("blockOwnerDeletion")) {
    reference.block_owner_deletion = value->boolean();
  }
  return reference;
}

// Converts the elements of the list `member` of metadata with `convert`. Returns null if an element
// cannot be converted.
template <typename T, typename Convert>
List<T> ListOf(const Map<Value>& object, absl::string_view member, Convert convert) {
  const absl::StatusOr<const List<Value>*> values = NestedSlice(object, {"metadata", member});
  if (!values.ok() || *values == nullptr) return {};
  List<T> list = List<T>::Empty();
  for (const Value& value : **values) {
    std::optional<T> element = convert(value);
    if (!element.has_value()) return {};
    list.push_back(*std::move(element));
  }
  return list;
}

template <typename T>
void SetList(Map<Value>& object, const List<T>& list, absl::string_view member) {
  if (list.is_null()) return Remove(object, member);
  List<Value> values;
  for (const T& element : list) {
    absl::StatusOr<Value> value = ToValue(element);
    // The fields of an entry are not valid JSON: upstream logs this and goes on.
    if (!value.ok()) return;
    values.push_back(*std::move(value));
  }
  Set(object, std::move(values), member);
}

}  // namespace

const kube::table::Message Unstructured::kMessage = {.fields = kFields,
                                                     .names = kNames,
                                                     .size = sizeof(Unstructured),
                                                     .field_count = 1,
                                                     .wire_count = 0,
                                                     .name = 6,
                                                     .name_size = 12,
                                                     .json_form = kube::table::JsonForm::kOnlyField,
                                                     .all_optional = 0,
                                                     .wire_start = 0,
                                                     .is_atomic = 0,
                                                     .reserved = {}};

absl::string_view Unstructured::api_version() const { return Text(object, {"apiVersion"}); }
void Unstructured::set_api_version(absl::string_view value) { object["apiVersion"] = value; }
absl::string_view Unstructured::kind() const { return Text(object, {"kind"}); }
void Unstructured::set_kind(absl::string_view value) { object["kind"] = value; }

schema::GroupVersionKind Unstructured::gvk() const {
  const absl::StatusOr<schema::GroupVersion> version = schema::ParseGroupVersion(api_version());
  return version.ok() ? version->WithKind(kind()) : schema::GroupVersionKind();
}
void Unstructured::set_gvk(const schema::GroupVersionKind& gvk) {
  set_api_version(gvk.group_version().ToString());
  set_kind(gvk.kind);
}

absl::string_view Unstructured::name() const { return Text(object, {"metadata", "name"}); }
void Unstructured::set_name(absl::string_view value) { SetText(object, value, "name"); }
absl::string_view Unstructured::generate_name() const {
  return Text(object, {"metadata", "generateName"});
}
void Unstructured::set_generate_name(absl::string_view value) {
  SetText(object, value, "generateName");
}
absl::string_view Unstructured::namespace_name() const {
  return Text(object, {"metadata", "namespace"});
}
void Unstructured::set_namespace(absl::string_view value) { SetText(object, value, "namespace"); }
absl::string_view Unstructured::uid() const { return Text(object, {"metadata", "uid"}); }
void Unstructured::set_uid(absl::string_view value) { SetText(object, value, "uid"); }
absl::string_view Unstructured::resource_version() const {
  return Text(object, {"metadata", "resourceVersion"});
}
void Unstructured::set_resource_version(absl::string_view value) {
  SetText(object, value, "resourceVersion");
}
absl::string_view Unstructured::self_link() const { return Text(object, {"metadata", "selfLink"}); }
void Unstructured::set_self_link(absl::string_view value) { SetText(object, value, "selfLink"); }

int64_t Unstructured::generation() const {
  return Integer(object, {"metadata", "generation"}).value_or(0);
}
void Unstructured::set_generation(int64_t value) {
  SetInteger(object, value == 0 ? std::nullopt : std::optional(value), "generation");
}

Time Unstructured::creation_timestamp() const {
  return TimeOf(Text(object, {"metadata", "creationTimestamp"}));
}
void Unstructured::set_creation_timestamp(Time value) {
  SetText(object, value.IsZero() ? "" : value.ToString(), "creationTimestamp");
}

std::optional<Time> Unstructured::deletion_timestamp() const {
  const Time time = TimeOf(Text(object, {"metadata", "deletionTimestamp"}));
  return time.IsZero() ? std::nullopt : std::optional(time);
}
void Unstructured::set_deletion_timestamp(std::optional<Time> value) {
  if (!value.has_value()) return Remove(object, "deletionTimestamp");
  Set(object, value->IsZero() ? "" : value->ToString(), "deletionTimestamp");
}

std::optional<int64_t> Unstructured::deletion_grace_period_seconds() const {
  return Integer(object, {"metadata", "deletionGracePeriodSeconds"});
}
void Unstructured::set_deletion_grace_period_seconds(std::optional<int64_t> value) {
  SetInteger(object, value, "deletionGracePeriodSeconds");
}

Map<String> Unstructured::labels() const { return StringMap(object, "labels"); }
void Unstructured::set_labels(const Map<String>& value) { SetStringMap(object, value, "labels"); }
Map<String> Unstructured::annotations() const { return StringMap(object, "annotations"); }
void Unstructured::set_annotations(const Map<String>& value) {
  SetStringMap(object, value, "annotations");
}

List<String> Unstructured::finalizers() const {
  return OrEmpty(NestedStringSlice(object, {"metadata", "finalizers"}));
}
void Unstructured::set_finalizers(const List<String>& value) {
  if (value.is_null()) return Remove(object, "finalizers");
  SetNestedStringSlice(object, value, {"metadata", "finalizers"}).IgnoreError();
}

List<OwnerReference> Unstructured::owner_references() const {
  return ListOf<OwnerReference>(object, "ownerReferences", [](const Value& value) {
    return value.is_object() ? std::optional(OwnerReferenceOf(*value.object())) : std::nullopt;
  });
}
void Unstructured::set_owner_references(const List<OwnerReference>& value) {
  SetList(object, value, "ownerReferences");
}

List<ManagedFieldsEntry> Unstructured::managed_fields() const {
  return ListOf<ManagedFieldsEntry>(
      object, "managedFields", [](const Value& value) -> std::optional<ManagedFieldsEntry> {
        absl::StatusOr<ManagedFieldsEntry> entry = FromValue<ManagedFieldsEntry>(value);
        if (!value.is_object() || !entry.ok()) return std::nullopt;
        return *std::move(entry);
      });
}
void Unstructured::set_managed_fields(const List<ManagedFieldsEntry>& value) {
  SetList(object, value, "managedFields");
}

bool Unstructured::IsList() const {
  const Value* items = object.find("items");
  return items != nullptr && items->is_list();
}

absl::Status Unstructured::EachListItem(
    absl::FunctionRef<absl::Status(const Unstructured&)> on_item) const {
  if (!IsList()) return absl::InvalidArgumentError("content is not a list");
  for (const Value& item : *object.find("items")->list()) {
    if (!item.is_object()) return absl::InvalidArgumentError("items member is not an object");
    // An Unstructured consists of a Map<Value> only, so the item's map can be used as one.
    KUBE_RETURN_IF_ERROR(on_item(*reinterpret_cast<const Unstructured*>(item.object())));
  }
  return absl::OkStatus();
}

std::ostream& operator<<(std::ostream& out, const Unstructured& value) {
  return out << value.object;
}

}  // namespace kube::unstructured
