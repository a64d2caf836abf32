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
  // Shared values may take this many bytes in all. Beyond it, values that are there go on being
  // shared, and no more are added. Default: 1 GiB, which a million pods do not reach.
  size_t max_bytes = size_t{1} << 30;
};

// What a SharingStore has done since it was made.
struct SharingStatistics {
  size_t values = 0;       // shared values there are
  size_t bytes = 0;        // and what they take
  uint64_t lookups = 0;    // values looked for
  uint64_t hits = 0;       // and found
  uint64_t added = 0;      // values added
  uint64_t swept = 0;      // values removed, because no object had them any more
  uint64_t sweeps = 0;     // how often all values were looked at for that
  uint64_t not_added = 0;  // values that max_bytes kept out
};

// What the objects of one cache have in common, kept once. The pods of a Deployment differ in names
// and addresses; their containers, volumes, tolerations and most of their strings are the same. A
// decoder with a SharingStore recognises encoded values that it has seen before and points the new
// object at the one copy, which is immutable and counted. It takes less memory, and less time too:
// what is recognised is not decoded. Objects look and behave as others do.
//
// A value is kept from its second sighting on, and fields whose values never repeat are soon tried
// only now and then. Values that no object refers to any more are swept now and then, by the thread
// that decodes. client-go has nothing like it.
//
// Thread-compatible: one thread at a time decodes with it. The objects are free: any thread may
// copy or drop them at any time, also after the store is destroyed.
class SharingStore {
 public:
  explicit SharingStore(const SharingStoreOptions& options = {});
  SharingStore(const SharingStore&) = delete;
  SharingStore& operator=(const SharingStore&) = delete;
  ~SharingStore();

  // Removes the values that no object refers to. It happens by itself when the store has doubled;
  // call it when many objects have gone at once. Takes time in proportion to the values there are.
  void Sweep();

  SharingStatistics statistics() const;

 private:
  friend class internal::SharingBuilder;

  // How often a field's values were looked for, of these found, and not looked for; and the one
  // that was found last, or null. Objects that are alike come one after another.
  struct Trial {
    uint32_t lookups = 0;
    uint32_t hits = 0;
    uint32_t skipped = 0;
    internal::SharingNode* last = nullptr;
  };

  // By the hash most nodes are told apart: each that is looked at costs a cache miss.
  struct Slot {
    internal::SharingNode* node = nullptr;
    uint64_t hash = 0;
  };

  // The Trial of the field that `type` stands for, and whether to look for the next value of it:
  // the answer counts as having looked.
  Trial& TrialOf(const void* type);
  static bool IsWorthwhile(Trial& trial);

  uint64_t Hash(absl::string_view encoded, const void* type) const;
  // The value that was found last, if it is this one, or null.
  internal::SharingNode* RecallLast(const Trial& trial, const void* type,
                                    absl::string_view encoded);
  // The same if `text` begins with it.
  internal::SharingNode* RecallPrefix(const Trial& trial, const void* type, absl::string_view text);
  internal::SharingNode* Recalled(internal::SharingNode* node);
  // Another object begins.
  void BeginObject() {
    if (++object_ == kMostObjects) ForgetHolders();
  }
  // Marks the node as one that the object has a reference to. False: it was before, and one is
  // enough.
  bool MarkHeld(internal::SharingNode* node) {
    if (node->holder() == object_) return false;
    node->set_holder(object_);
    return true;
  }
  void ForgetHolders();
  // The first place from `i` on that has this hash or is free.
  size_t PlaceFrom(size_t i, uint64_t hash) const;
  // The value, or null.
  internal::SharingNode* Find(uint64_t hash, const void* type, absl::string_view encoded);
  // Whether a value that is not there was looked for before: then it is to be added.
  bool IsSecondSighting(uint64_t hash);
  // Whether there is room for so much more.
  bool HasRoom(size_t bytes);
  void Add(internal::SharingNode* node, uint64_t hash);
  void Insert(const Slot& slot);

  const SharingStoreOptions options_;
  const uint64_t seed_;
  // Open addressing; a power of two.
  std::vector<Slot> table_;
  // Hashes of values that were looked for once, two in each place; a power of two. Where there are
  // more, the older are forgotten.
  std::vector<uint32_t> seen_;
  size_t seen_since_growth_ = 0;
  std::array<Trial, 2048> trials_ = {};
  // The object's number. After so many, numbers begin again at 1; zero is no object's.
  static constexpr uint32_t kMostObjects = 1 << 18;
  uint32_t object_ = 0;
  size_t bytes_at_next_sweep_;
  size_t not_added_since_sweep_ = 0;
  SharingStatistics statistics_;
};

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_SHARING_SHARING_STORE_H_
