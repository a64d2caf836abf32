#ifndef CLIENTSET_TYPED_LIST_METADATA_H_
#define CLIENTSET_TYPED_LIST_METADATA_H_

#include "absl/strings/string_view.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/types/message_type.h"

// What lists say of themselves, for templates over typed and unstructured ones: the former have a
// metav1::ListMeta, the latter accessors, as unstructured::UnstructuredList. (meta.ListAccessor)
//
// Thread-safe where nobody changes the list meanwhile.
namespace kube::typed {

// Where the next page begins; empty after the last one.
template <ApiStruct ListT>
absl::string_view ContinueOf(const ListT& list) {
  if constexpr (meta::ListObject<ListT>) {
    return list.metadata.continue_.view();
  } else {
    return list.continue_();
  }
}

template <ApiStruct ListT>
absl::string_view ResourceVersionOf(const ListT& list) {
  if constexpr (meta::ListObject<ListT>) {
    return list.metadata.resource_version.view();
  } else {
    return list.resource_version();
  }
}

template <ApiStruct ListT>
void SetResourceVersion(ListT& list, absl::string_view value) {
  if constexpr (meta::ListObject<ListT>) {
    list.metadata.resource_version = value;
  } else {
    list.metadata["resourceVersion"] = value;
  }
}

}  // namespace kube::typed

#endif  // CLIENTSET_TYPED_LIST_METADATA_H_
