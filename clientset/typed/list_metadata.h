#ifndef CLIENTSET_TYPED_LIST_METADATA_H_
#define CLIENTSET_TYPED_LIST_METADATA_H_

#include "absl/strings/string_view.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/types/message_type.h"

// Access to the metadata of lists, for templates over typed and unstructured lists: typed ones have
// a metav1::ListMeta, unstructured ones have accessors (unstructured::UnstructuredList).
// (client-go: `meta.ListAccessor`)
//
// Thread-safe as long as no other thread changes the list.
namespace kube::typed {

// Returns the continue token of the next page; empty on the last page.
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
