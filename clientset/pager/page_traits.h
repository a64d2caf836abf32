#ifndef CLIENTSET_PAGER_PAGE_TRAITS_H_
#define CLIENTSET_PAGER_PAGE_TRAITS_H_

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/message_type.h"
#include "clientset/typed/list_metadata.h"
#include "clientset/typed/options.h"

// The operations that a ListPager needs for its pages. Overload ContinueOf, ItemsOf, EmptyLike and
// MoveItems for pages of your own.
namespace kube::pager {

using typed::ContinueOf;

// ---- lists of the API

template <ApiStruct ListT>
auto& ItemsOf(const ListT& list) {
  return list.items;
}

// Returns an empty list for the items of several pages. It gets the resource version of the first
// page, since that is all that the pages have in common.
template <ApiStruct ListT>
ListT EmptyLike(const ListT& first) {
  ListT all;
  typed::SetResourceVersion(all, typed::ResourceVersionOf(first));
  if constexpr (meta::ListObject<ListT>) {
    all.metadata.self_link = first.metadata.self_link;
  } else {
    all.kind = first.kind;
    all.api_version = first.api_version;
  }
  return all;
}

template <ApiStruct ListT>
void MoveItems(ListT& from, ListT& to) {
  for (auto& item : from.items) to.items.push_back(std::move(item));
}

// ---- pages for caches

template <ApiStruct T, ApiStruct ListT>
absl::string_view ContinueOf(const typed::Page<T, ListT>& page) {
  return ContinueOf(page.list);
}

template <ApiStruct T, ApiStruct ListT>
const std::vector<std::shared_ptr<const T>>& ItemsOf(const typed::Page<T, ListT>& page) {
  return page.items;
}

template <ApiStruct T, ApiStruct ListT>
typed::Page<T, ListT> EmptyLike(const typed::Page<T, ListT>& first) {
  return {.list = EmptyLike(first.list)};
}

template <ApiStruct T, ApiStruct ListT>
void MoveItems(typed::Page<T, ListT>& from, typed::Page<T, ListT>& to) {
  for (std::shared_ptr<const T>& item : from.items) to.items.push_back(std::move(item));
}

// The type of a page's items: an API struct, or a shared pointer to one.
template <typename PageT>
using ItemOf = std::remove_cvref_t<decltype(*ItemsOf(std::declval<const PageT&>()).begin())>;

}  // namespace kube::pager

#endif  // CLIENTSET_PAGER_PAGE_TRAITS_H_
