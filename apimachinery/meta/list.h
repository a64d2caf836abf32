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

// Lists of objects. With the type at hand a list is its members, `list.items` and
// `list.metadata.continue_`, and there is little left to do; these are for lists of any kind, and
// for objects that go their own ways. (pkg/api/meta's help.go)
//
// Thread-safe where nobody changes the list meanwhile.
namespace kube::meta {

// The type of the items of a list.
template <ListObject L>
using ItemOf = typename std::remove_cvref_t<decltype(std::declval<L&>().items)>::value_type;

// Takes a list apart: each item becomes an object of its own, which keeps no other one in memory.
// (meta.ExtractListWithAlloc)
template <ListObject L>
std::vector<std::shared_ptr<const ItemOf<L>>> ExtractList(L list) {
  std::vector<std::shared_ptr<const ItemOf<L>>> objects;
  objects.reserve(list.items.size());
  for (ItemOf<L>& item : list.items) {
    objects.push_back(std::make_shared<const ItemOf<L>>(std::move(item)));
  }
  return objects;
}

// Puts copies of objects into a list, instead of what was there. (meta.SetList)
template <ListObject L>
void SetList(L& list, const std::vector<std::shared_ptr<const ItemOf<L>>>& objects) {
  list.items.clear();
  list.items.reserve(objects.size());
  for (const std::shared_ptr<const ItemOf<L>>& object : objects) list.items.push_back(*object);
}

// Whether the kind has a list of objects called `items`. (meta.IsListType)
bool IsListType(const codec::AnyObject& object);

// The number of items; 0 for what is no list. (meta.LenList)
size_t LenList(const codec::AnyObject& list);

// Calls `visit` for each item, until it returns an error, which is returned then. INVALID_ARGUMENT:
// it is no list. An item's metadata is MetadataOf(item). (meta.EachListItem)
absl::Status EachListItem(const codec::AnyObject& list,
                          absl::FunctionRef<absl::Status(codec::ValueView item)> visit);

// Of an item, as MetadataOf of an object.
const api::meta::v1::ObjectMeta* MetadataOf(codec::ValueView object);

// What a page of a list says of the rest of it.
struct ListRest {
  // What the next page is asked for with; empty: this was the last one.
  absl::string_view continue_token = {};
  // How many objects are on the pages after this one; nothing: the server does not say, as with
  // selectors.
  std::optional<int64_t> remaining_items = {};
};
ListRest RestOf(const api::meta::v1::ListMeta& metadata);

// Lists or watches one object: its name, and its resourceVersion if it has one.
// (metav1.SingleObject)
api::meta::v1::ListOptions SingleObject(const api::meta::v1::ObjectMeta& metadata);

}  // namespace kube::meta

#endif  // APIMACHINERY_META_LIST_H_
