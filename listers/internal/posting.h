#ifndef LISTERS_INTERNAL_POSTING_H_
#define LISTERS_INTERNAL_POSTING_H_

#include <memory>
#include <string>

#include "listers/internal/ref.h"
#include "listers/internal/slot_tree.h"

namespace kube::listers::internal {

using ObjectTree = SlotTree<std::shared_ptr<const void>>;

// The objects that have one value in an index. The main table of a store uses the namespace as
// value.
struct Posting : RefCounted {
  std::string value;
  // The objects by the hash of their keys.
  ObjectTree members;
};

using PostingTree = SlotTree<Ref<Posting>>;

}  // namespace kube::listers::internal

#endif  // LISTERS_INTERNAL_POSTING_H_
