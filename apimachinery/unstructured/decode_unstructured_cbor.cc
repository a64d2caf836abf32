#include "apimachinery/unstructured/decode_unstructured_cbor.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/status.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/schema/missing_kind.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/cbor.h"
#include "apimachinery/unstructured/value.h"

namespace kube::unstructured {
namespace {

absl::Status Invalid(absl::string_view type, absl::string_view problem) {
  return absl::InvalidArgumentError(absl::StrCat("decode ", type, ": ", problem));
}

// Returns the members; of null, none.
absl::StatusOr<Map<Value>> ParseObject(absl::string_view type, absl::string_view cbor) {
  KUBE_ASSIGN_OR_RETURN(Value value, ParseCbor(cbor));
  if (value.is_null()) return Map<Value>::Empty();
  if (!value.is_object()) return Invalid(type, "the CBOR is not a map");
  return std::move(*value.object());
}

// As upstream, where a malformed apiVersion makes the kind empty, too.
absl::Status CheckKind(absl::string_view type, const Unstructured& object) {
  const schema::GroupVersionKind gvk = object.gvk();
  const std::string context = absl::StrCat("decode ", type);
  if (gvk.kind.empty()) return base::Annotate(schema::MissingKindError("the object"), context);
  if (gvk.version.empty()) {
    return base::Annotate(schema::MissingVersionError("the object"), context);
  }
  return absl::OkStatus();
}

// Fills in the kind of an item from its list.
absl::StatusOr<Unstructured> ItemOf(const Unstructured& list, Value value) {
  if (!value.is_object()) return Invalid("UnstructuredList", "an item is not a map");
  Unstructured item{.object = std::move(*value.object())};
  // Members that are not strings become empty ones.
  std::string api_version(item.api_version());
  std::string kind(item.kind());
  if (api_version.empty() && kind.empty()) {
    api_version = std::string(list.api_version());
    kind = std::string(absl::StripSuffix(list.kind(), "List"));
  }
  const absl::string_view context = "decode UnstructuredList";
  if (kind.empty()) return base::Annotate(schema::MissingKindError("an item"), context);
  if (api_version.empty()) return base::Annotate(schema::MissingVersionError("an item"), context);
  item.object.insert_or_assign("apiVersion", Value(api_version));
  item.object.insert_or_assign("kind", Value(kind));
  return item;
}

}  // namespace

absl::StatusOr<Unstructured> DecodeUnstructuredCbor(absl::string_view cbor) {
  KUBE_ASSIGN_OR_RETURN(Map<Value> members, ParseObject("Unstructured", cbor));
  Unstructured object{.object = std::move(members)};
  KUBE_RETURN_IF_ERROR(CheckKind("Unstructured", object));
  return object;
}

absl::StatusOr<UnstructuredList> DecodeUnstructuredListCbor(absl::string_view cbor) {
  KUBE_ASSIGN_OR_RETURN(Map<Value> members, ParseObject("UnstructuredList", cbor));
  Unstructured object{.object = std::move(members)};
  UnstructuredList list;
  if (Value* items = object.object.find("items"); items != nullptr) {
    if (!items->is_list()) return Invalid("UnstructuredList", "items is not an array");
    for (Value& value : *items->list()) {
      KUBE_ASSIGN_OR_RETURN(Unstructured item, ItemOf(object, std::move(value)));
      list.items.push_back(std::move(item));
    }
  }
  KUBE_RETURN_IF_ERROR(CheckKind("UnstructuredList", object));
  list.api_version = object.api_version();
  list.kind = object.kind();
  if (Value* metadata = object.object.find("metadata");
      metadata != nullptr && !metadata->is_null()) {
    if (!metadata->is_object()) return Invalid("UnstructuredList", "metadata is not a map");
    list.metadata = std::move(*metadata->object());
  }
  return list;
}

}  // namespace kube::unstructured
