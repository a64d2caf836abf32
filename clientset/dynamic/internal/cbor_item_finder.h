#ifndef CLIENTSET_DYNAMIC_INTERNAL_CBOR_ITEM_FINDER_H_
#define CLIENTSET_DYNAMIC_INTERNAL_CBOR_ITEM_FINDER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::dynamic::internal {

// Finds the end of a CBOR data item whose bytes arrive one after the other. It looks at each byte
// once, and only at what decides about lengths; unstructured::ParseCbor checks the rest.
// Thread-compatible.
class CborItemFinder {
 public:
  // Returns the size of the item with which `data` begins, or zero if it is incomplete; then call
  // it again when more bytes are behind `data`. Returns INVALID_ARGUMENT for what is no CBOR.
  absl::StatusOr<size_t> Find(absl::string_view data);

 private:
  // Reads one head, with the bytes of a string, and notes what it opens. Returns false if it is
  // incomplete.
  absl::StatusOr<bool> ReadHead(absl::string_view data);
  // Counts an item of the innermost array or map.
  void CountItem();

  size_t pos_ = 0;
  // How many items are left of each array and map that is open, from the outermost to the
  // innermost. The first one is the item that is searched for.
  std::vector<uint64_t> left_ = {1};
};

}  // namespace kube::dynamic::internal

#endif  // CLIENTSET_DYNAMIC_INTERNAL_CBOR_ITEM_FINDER_H_
