#include "apimachinery/meta/list.h"

#include <cstddef>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/reflect.h"
#include "apimachinery/types/string.h"

namespace kube::meta {

namespace metav1 = api::meta::v1;

namespace {

std::optional<codec::ValueView> ItemsOf(const codec::AnyObject& list) {
  std::optional<codec::ValueView> items = list.View().Member("items");
  if (items.has_value() && items->form() != codec::ValueForm::kList) return std::nullopt;
  return items;
}

}  // namespace

bool IsListType(const codec::AnyObject& object) { return ItemsOf(object).has_value(); }

size_t LenList(const codec::AnyObject& list) {
  const std::optional<codec::ValueView> items = ItemsOf(list);
  return items.has_value() ? items->size() : 0;
}

absl::Status EachListItem(const codec::AnyObject& list,
                          absl::FunctionRef<absl::Status(codec::ValueView item)> visit) {
  const std::optional<codec::ValueView> items = ItemsOf(list);
  if (!items.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(list.kind().kind, " is not a list"));
  }
  for (size_t i = 0; i < items->size(); ++i) KUBE_RETURN_IF_ERROR(visit(items->element(i)));
  return absl::OkStatus();
}

const metav1::ObjectMeta* MetadataOf(codec::ValueView object) {
  const std::optional<codec::ValueView> metadata = object.Member("metadata");
  return metadata.has_value() ? metadata->As<metav1::ObjectMeta>() : nullptr;
}

ListRest RestOf(const metav1::ListMeta& metadata) {
  return {.continue_token = metadata.continue_.view(),
          .remaining_items = metadata.remaining_item_count};
}

metav1::ListOptions SingleObject(const metav1::ObjectMeta& metadata) {
  metav1::ListOptions options;
  // Escapes like fields.EscapeValue. Valid names contain none of these characters.
  options.field_selector = absl::StrCat(
      metav1::kObjectNameField, "=",
      absl::StrReplaceAll(metadata.name.view(), {{"\\", "\\\\"}, {",", "\\,"}, {"=", "\\="}}));
  options.resource_version = metadata.resource_version;
  return options;
}

}  // namespace kube::meta
