#ifndef APIMACHINERY_META_LIST_H_
#define APIMACHINERY_META_LIST_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/reflect.h"
#include "apimachinery/meta/accessor.h"

// Lists of objects. If the type of a list is known, use its members `list.items` and
// `list.metadata.continue_` directly; these functions are for lists of any kind, and for turning
// items into separate objects. apimachinery: `api/meta/help.go`.
//
// Thread-safe as long as no other thread changes the list.
namespace kube::meta {

// The type of the items of a list.
template <ListObject L>
using ItemOf = typename std::remove_cvref_t<decltype(std::declval<L&>().items)>::value_type;

// Makes each item an object of its own, which does not keep the others in memory. apimachinery:
// `meta.ExtractListWithAlloc`.
template <ListObject L>
std::vector<std::shared_ptr<const ItemOf<L>>> ExtractList(L list) {
  std::vector<std::shared_ptr<const ItemOf<L>>> objects;
  objects.reserve(list.items.size());
  for (ItemOf<L>& item : list.items) {
    objects.push_back(std::make_shared<const ItemOf<L>>(std::move(item)));
  }
  return objects;
}

// Replaces the items of a list by copies of `objects`. apimachinery: `meta.SetList`.
template <ListObject L>
void SetList(L& list, const std::vector<std::shared_ptr<const ItemOf<L>>>& objects) {
  list.items.clear();
  list.items.reserve(objects.size());
  for (const std::shared_ptr<const ItemOf<L>>& object : objects) list.items.push_back(*object);
}

// Returns whether the kind has a list called `items`. apimachinery: `meta.IsListType`.
bool IsListType(const codec::AnyObject& object);

// Returns the number of items; 0 if `list` is not a list. apimachinery: `meta.LenList`.
size_t LenList(const codec::AnyObject& list);

// Calls `visit` for each item until it returns an error, and returns that error. Returns
// INVALID_ARGUMENT if `list` is not a list. Use MetadataOf(item) for the metadata of an item.
// apimachinery: `meta.EachListItem`.
absl::Status EachListItem(const codec::AnyObject& list,
                          absl::FunctionRef<absl::Status(codec::ValueView item)> visit);

// Returns the metadata of an item, or null, as MetadataOf does for an object.
const api::meta::v1::ObjectMeta* MetadataOf(codec::ValueView object);

// What a page of a list says about the following pages.
struct ListRest {
  // The token to request the next page; empty on the last page.
  absl::string_view continue_token = {};
  // The number of objects on the following pages; nullopt if the server does not say, as with
  // selectors.
  std::optional<int64_t> remaining_items = {};
};
ListRest RestOf(const api::meta::v1::ListMeta& metadata);

// Returns options to list or watch one object: its name, and its resourceVersion if it has one.
// apimachinery: `metav1.SingleObject`.
api::meta::v1::ListOptions SingleObject(const api::meta::v1::ObjectMeta& metadata);

}  // namespace kube::meta

#endif  // APIMACHINERY_META_LIST_H_
