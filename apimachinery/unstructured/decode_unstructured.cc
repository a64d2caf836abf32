#include "apimachinery/unstructured/decode_unstructured.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/padded_buffer.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "apimachinery/unstructured/value.h"

namespace kube::unstructured {
namespace {

// (runtime.NewMissingKindErr, whose text has the whole object)
absl::Status CheckKind(absl::string_view type, absl::string_view kind) {
  if (!kind.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("decode ", type, ": Object 'Kind' is missing"));
}

absl::StatusOr<UnstructuredList> ListWithKinds(UnstructuredList list) {
  if (list.items.is_null()) list.items.clear();
  const absl::string_view item_kind = absl::StripSuffix(list.kind.view(), "List");
  for (Unstructured& item : list.items) {
    if (!item.kind().empty() || !item.api_version().empty()) continue;
    item.set_kind(item_kind);
    item.set_api_version(list.api_version);
  }
  KUBE_RETURN_IF_ERROR(CheckKind("UnstructuredList", list.kind));
  return list;
}

}  // namespace

absl::StatusOr<Unstructured> DecodeUnstructured(const codec::PaddedBuffer& json) {
  KUBE_ASSIGN_OR_RETURN(Unstructured object, codec::DecodeJson<Unstructured>(json));
  KUBE_RETURN_IF_ERROR(CheckKind("Unstructured", object.kind()));
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
  KUBE_RETURN_IF_ERROR(CheckKind("Unstructured", object.kind()));
  return UnstructuredOrList(std::move(object));
}

absl::StatusOr<UnstructuredOrList> DecodeUnstructuredOrList(absl::string_view json) {
  return DecodeUnstructuredOrList(codec::PaddedBuffer(json));
}

}  // namespace kube::unstructured
