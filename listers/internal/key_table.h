#ifndef LISTERS_INTERNAL_KEY_TABLE_H_
#define LISTERS_INTERNAL_KEY_TABLE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "listers/internal/read_sections.h"
#include "listers/internal/value_index.h"

namespace kube::listers::internal {

// Objects by key as they are now: what a single get asks, without a lock. Snapshots have their
// trees.
//
// A hash table with open addressing: its words have 32 bits of a hash, and the number of a slot in
// which the object's reference and its key are. A slot that readers can find never changes: a write
// takes another one, and the old one is free when readers have left it. So also the words when they
// become too few.
//
// Thread-compatible, and beside its one writer any number of threads may Get.
class KeyTable {
 public:
  using Object = std::shared_ptr<const void>;

  // For so many objects; it grows with more. The two others outlive it.
  KeyTable(const ObjectTraits& traits, ReadSections& sections, size_t expected);
  KeyTable(const KeyTable&) = delete;
  KeyTable& operator=(const KeyTable&) = delete;
  ~KeyTable();  // without readers

  // For readers, in a section. Null: there is none.
  Object Get(uint64_t hash, const ObjectKey& key) const;

  // ---- for the writer

  // Where a key is or would be. Good until the next change.
  struct Place {
    uint32_t word = 0;
    const Object* object = nullptr;  // null: there is none
  };
  // Makes room for one more; what takes time is done here, and not in Set.
  Place Find(uint64_t hash, const ObjectKey& key);
  void Set(const Place& place, uint64_t hash, Object object);
  // Of what is there.
  void Remove(const Place& place);

  // The most calls of Set and Remove between two calls of Collect: there are slots for so many.
  static constexpr size_t kMostUncollected = 128;

  // Hands over what was replaced or removed and no reader has any more. Call it after each change,
  // or after up to kMostUncollected. Waits only where a reader has stopped for thousands of
  // changes.
  void Collect(std::vector<Object>& garbage);

  size_t size() const { return live_; }
  size_t MemoryBytes() const;

 private:
  // What readers see. Replaced as a whole where it has to grow.
  struct Words;
  // What readers may still have.
  struct Retired {
    std::vector<uint32_t> slots;
    std::vector<std::unique_ptr<const Words>> words;
  };
  // Collect leaves fewer than this.
  static constexpr size_t kMaxRetired = 1 << 14;
  static constexpr size_t kChunk = 128;  // slots

  struct Slot;

  static uint32_t TagOf(uint64_t hash) { return static_cast<uint32_t>(hash >> 32); }
  static const Slot& SlotOf(const Words& words, uint64_t word);

  void Rebuild(size_t expected);
  uint32_t NewSlot();

  // After a step of the readers: what was retired before the last one is free.
  void TakeFree(std::vector<Object>& garbage);
  Slot& SlotAt(uint32_t slot);

  const ObjectTraits& traits_;
  ReadSections& sections_;
  std::atomic<Words*> words_ = nullptr;

  // The writer's.
  std::unique_ptr<Words> own_words_;
  size_t live_ = 0;
  size_t used_ = 0;   // words that are not empty
  size_t slots_ = 0;  // that were ever taken
  std::vector<std::unique_ptr<Slot[]>> chunks_;
  std::vector<uint32_t> free_;
  Retired young_;
  Retired old_;  // before the last step
};

}  // namespace kube::listers::internal

#endif  // LISTERS_INTERNAL_KEY_TABLE_H_
