#ifndef APIMACHINERY_CODEC_SHARING_SHARING_STORE_H_
#define APIMACHINERY_CODEC_SHARING_SHARING_STORE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/codec/sharing/sharing_node.h"

namespace kube::codec {

namespace internal {
class SharingBuilder;
}  // namespace internal

struct SharingStoreOptions {
  // Maximum number of bytes of all shared values together. When it is reached, no values are added,
  // and the existing ones continue to be shared. Default: 1 GiB, which a million pods do not reach.
  size_t max_bytes = size_t{1} << 30;
};

// The present size of a SharingStore, and counters since it was created.
struct SharingStatistics {
  size_t values = 0;       // shared values at present
  size_t bytes = 0;        // bytes of these values
  uint64_t lookups = 0;    // values looked up
  uint64_t hits = 0;       // lookups that found the value
  uint64_t added = 0;      // values added
  uint64_t swept = 0;      // unused values removed
  uint64_t sweeps = 0;     // sweeps over all values
  uint64_t not_added = 0;  // values rejected because of max_bytes
};

// Keeps values that several objects of a cache have in common once. The pods of a Deployment differ
// in names and addresses, but their containers, volumes, tolerations and most of their strings are
// the same. A decoder with a SharingStore recognises encoded values that it has seen before, and
// points the new object to the existing value, which is immutable and reference-counted. This saves
// memory, and also time, because such values are not decoded. The objects look and behave like
// others. Pass the store to a SharedDecoder.
//
// A value is added when it is seen for the second time. Fields whose values rarely repeat are
// looked up only now and then. Values that no object refers to are removed by sweeps on the
// decoding thread. client-go has no counterpart.
//
// Thread-compatible: one thread at a time decodes with it. Any thread may copy or drop the decoded
// objects at any time, also after the store was destroyed.
class SharingStore {
 public:
  explicit SharingStore(const SharingStoreOptions& options = {});
  SharingStore(const SharingStore&) = delete;
  SharingStore& operator=(const SharingStore&) = delete;
  ~SharingStore();

  // Removes the values that no object refers to. The decoder does this itself when the store has
  // doubled in size; call it after many objects were dropped at once. It visits all values.
  void Sweep();

  // Returns the statistics. Not safe while another thread decodes with the store.
  SharingStatistics statistics() const;

 private:
  friend class internal::SharingBuilder;

  // The record of a field's values. `last` is checked first, because similar objects often follow
  // each other.
  struct Trial {
    uint32_t lookups = 0;
    uint32_t hits = 0;  // values found or added
    uint32_t skipped = 0;
    internal::SharingNode* last = nullptr;  // the last hit, or null
  };

  // Keeping the hash beside the pointer avoids a cache miss for most nodes that do not match.
  struct Slot {
    internal::SharingNode* node = nullptr;
    uint64_t hash = 0;
  };

  // Returns the Trial of the field that `type` identifies. Two fields may share a Trial.
  Trial& TrialOf(const void* type);
  // Returns whether to look up the next value of a field, and counts a lookup if so.
  static bool IsWorthwhile(Trial& trial);

  uint64_t Hash(absl::string_view encoded, const void* type) const;
  // Returns `trial.last` if it holds this value, otherwise null.
  internal::SharingNode* RecallLast(const Trial& trial, const void* type,
                                    absl::string_view encoded);
  // Returns `trial.last` if it has this type and `text` begins with its bytes, otherwise null.
  internal::SharingNode* RecallPrefix(const Trial& trial, const void* type, absl::string_view text);
  internal::SharingNode* Recalled(internal::SharingNode* node);
  // Starts another object.
  void BeginObject() {
    if (++object_ == kMostObjects) ForgetHolders();
  }
  // Marks the node as referenced by the present object. Returns false if it was marked already: an
  // object needs one reference only.
  bool MarkHeld(internal::SharingNode* node) {
    if (node->holder() == object_) return false;
    node->set_holder(object_);
    return true;
  }
  void ForgetHolders();
  // Returns the first slot from `i` on that has this hash or is free.
  size_t PlaceFrom(size_t i, uint64_t hash) const;
  // Returns the node of the value, or null.
  internal::SharingNode* Find(uint64_t hash, const void* type, absl::string_view encoded);
  // Returns whether a value that is not in the table was seen before, so that it should be added.
  // Otherwise remembers its hash.
  bool IsSecondSighting(uint64_t hash);
  // Returns whether a node of this size may be added. May sweep.
  bool HasRoom(size_t bytes);
  // Adds a node that is not in the table, with its one reference.
  void Add(internal::SharingNode* node, uint64_t hash);
  void Insert(const Slot& slot);

  const SharingStoreOptions options_;
  const uint64_t seed_;
  // A hash table with open addressing. Its size is a power of two.
  std::vector<Slot> table_;
  // Parts of the hashes of values that were seen once, in buckets of two. The size is a power of
  // two. A full bucket forgets the older one.
  std::vector<uint32_t> seen_;
  size_t seen_since_growth_ = 0;
  std::array<Trial, 2048> trials_ = {};
  // The number of the present object: from 1 to kMostObjects - 1, then again from 1. No object has
  // the number 0.
  static constexpr uint32_t kMostObjects = 1 << 18;
  uint32_t object_ = 0;
  size_t bytes_at_next_sweep_;
  size_t not_added_since_sweep_ = 0;
  SharingStatistics statistics_;
};

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_SHARING_SHARING_STORE_H_
