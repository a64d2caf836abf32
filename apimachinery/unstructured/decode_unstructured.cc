#include "apimachinery/unstructured/decode_unstructured.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/schema/missing_kind.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "apimachinery/unstructured/value.h"

namespace kube::unstructured {
namespace {

// As upstream, where the GroupVersionKind is empty if the apiVersion is malformed.
absl::Status CheckKind(absl::string_view type, absl::string_view api_version,
                       absl::string_view kind) {
  if (!kind.empty() && schema::ParseGroupVersion(api_version).ok()) return absl::OkStatus();
  return base::Annotate(schema::MissingKindError("the object"), absl::StrCat("decode ", type));
}

absl::StatusOr<UnstructuredList> ListWithKinds(UnstructuredList list) {
  if (list.items.is_null()) list.items.clear();
  const absl::string_view item_kind = absl::StripSuffix(list.kind.view(), "List");
  for (Unstructured& item : list.items) {
    if (!item.kind().empty() || !item.api_version().empty()) continue;
    item.set_kind(item_kind);
    item.set_api_version(list.api_version);
  }
  KUBE_RETURN_IF_ERROR(CheckKind("UnstructuredList", list.api_version, list.kind));
  return list;
}

}  // namespace

absl::StatusOr<Unstructured> DecodeUnstructured(const codec::PaddedBuffer& json) {
  KUBE_ASSIGN_OR_RETURN(Unstructured object, codec::DecodeJson<Unstructured>(json));
  KUBE_RETURN_IF_ERROR(CheckKind("Unstructured", object.api_version(), object.kind()));
  return object;
}

absl::StatusOr<Unstructured> DecodeUnstructured(absl::string_view json) {
  return DecodeUnstructured(codec::PaddedBuffer(json));
}

absl::StatusOr<UnstructuredList> DecodeUnstructuredList(const codec::PaddedBuffer& json) {
  KUBE_ASSIGN_OR_RETURN(UnstructuredList list, codec::DecodeJson<UnstructuredList>(json));
  return ListWithKinds(std::move(list));
}

absl::StatusOr<UnstructuredList> DecodeUnstructuredList(absl::string_view json) {
  return DecodeUnstructuredList(codec::PaddedBuffer(json));
}

absl::StatusOr<UnstructuredOrList> DecodeUnstructuredOrList(const codec::PaddedBuffer& json) {
  KUBE_ASSIGN_OR_RETURN(Unstructured object, codec::DecodeJson<Unstructured>(json));
  if (object.object.contains("items")) {
    KUBE_ASSIGN_OR_RETURN(UnstructuredList list, DecodeUnstructuredList(json));
    return UnstructuredOrList(std::move(list));
  }
  KUBE_RETURN_IF_ERROR(CheckKind("Unstructured", object.api_version(), object.kind()));
  return UnstructuredOrList(std::move(object));
}

absl::StatusOr<UnstructuredOrList> DecodeUnstructuredOrList(absl::string_view json) {
  return DecodeUnstructuredOrList(codec::PaddedBuffer(json));
}

}  // namespace kube::unstructured
