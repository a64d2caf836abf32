#include "listers/internal/key_table.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"

namespace kube::listers::internal {
namespace {

// A word is the tag, and below it the number of a slot plus 2; or one of these.
constexpr uint64_t kEmpty = 0;
constexpr uint64_t kRemoved = 1;

bool IsOf(uint64_t word, uint32_t tag) {
  return word >> 32 == tag && static_cast<uint32_t>(word) > kRemoved;
}

constexpr size_t kLeastWords = 16;
// Of the words at most 4/5 are not empty, and 2/3 after a rebuild.
constexpr size_t MaxUsed(size_t words) { return words / 5 * 4; }
constexpr size_t WordsFor(size_t objects) { return std::max(kLeastWords, objects * 3 / 2 + 1); }

}  // namespace

struct KeyTable::Words {
  Words(size_t n, size_t chunk_count)
      : size(static_cast<uint32_t>(n)), words(n), chunks(chunk_count) {}

  uint32_t First(uint32_t tag) const { return static_cast<uint32_t>(uint64_t{tag} * size >> 32); }
  uint32_t Next(uint32_t i) const { return i + 1 == size ? 0 : i + 1; }

  const uint32_t size;
  std::vector<std::atomic<uint64_t>> words;
  // A chunk is there before the first word that needs it.
  std::vector<Slot*> chunks;
};

// One cache line: where the key fits, a reader need not wait for the object to see whether it is
// the right one.
struct alignas(64) KeyTable::Slot {
  void Set(Object new_object, const ObjectKey& key);
  bool Has(const ObjectKey& key, const ObjectTraits& traits) const;

  static constexpr size_t kMaxText = 46;
  static constexpr uint8_t kInObject = 255;

  Object object;
  uint8_t namespace_size = 0;  // or kInObject: the key is too long
  uint8_t name_size = 0;
  char text[kMaxText];  // the namespace and the name
};

void KeyTable::Slot::Set(Object new_object, const ObjectKey& key) {
  object = std::move(new_object);
  namespace_size = kInObject;
  if (key.namespace_name.size() + key.name.size() > kMaxText) return;
  namespace_size = static_cast<uint8_t>(key.namespace_name.size());
  name_size = static_cast<uint8_t>(key.name.size());
  key.namespace_name.copy(text, kMaxText);
  key.name.copy(text + namespace_size, kMaxText);
}

bool KeyTable::Slot::Has(const ObjectKey& key, const ObjectTraits& traits) const {
  // The caller will want it for himself: where the count of references is, usually.
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(object.get()) - 16),
                     /*write*/ 1);
  if (namespace_size == kInObject) return traits.key(object.get()) == key;
  const absl::string_view all(text, kMaxText);
  return key.namespace_name == all.substr(0, namespace_size) &&
         key.name == all.substr(namespace_size, name_size);
}

KeyTable::KeyTable(const ObjectTraits& traits, ReadSections& sections, size_t expected)
    : traits_(traits), sections_(sections) {
  Rebuild(expected);
}

KeyTable::~KeyTable() = default;

const KeyTable::Slot& KeyTable::SlotOf(const Words& words, uint64_t word) {
  const uint32_t slot = static_cast<uint32_t>(word) - 2;
  return words.chunks[slot / kChunk][slot % kChunk];
}

KeyTable::Object KeyTable::Get(uint64_t hash, const ObjectKey& key) const {
  const Words& words = *words_.load(std::memory_order_seq_cst);
  const uint32_t tag = TagOf(hash);
  for (uint32_t i = words.First(tag);; i = words.Next(i)) {
    const uint64_t word = words.words[i].load(std::memory_order_seq_cst);
    if (word == kEmpty) return nullptr;
    if (!IsOf(word, tag)) continue;
    const Slot& slot = SlotOf(words, word);
    if (slot.Has(key, traits_)) return slot.object;
  }
}

KeyTable::Place KeyTable::Find(uint64_t hash, const ObjectKey& key) {
  const Words* words = words_.load(std::memory_order_relaxed);
  if (used_ >= MaxUsed(words->size)) {
    Rebuild(live_ + 1);
    words = words_.load(std::memory_order_relaxed);
  }
  const uint32_t tag = TagOf(hash);
  Place place;
  bool is_placed = false;
  for (uint32_t i = words->First(tag);; i = words->Next(i)) {
    const uint64_t word = words->words[i].load(std::memory_order_relaxed);
    if (IsOf(word, tag)) {
      const Slot& slot = SlotOf(*words, word);
      if (slot.Has(key, traits_)) return {.word = i, .object = &slot.object};
    } else if (word <= kRemoved && !is_placed) {
      place.word = i;
      is_placed = true;
    }
    if (word == kEmpty) return place;
  }
}

void KeyTable::Set(const Place& place, uint64_t hash, Object object) {
  const uint32_t slot = NewSlot();
  const ObjectKey key = traits_.key(object.get());
  SlotAt(slot).Set(std::move(object), key);
  std::atomic<uint64_t>& word = words_.load(std::memory_order_relaxed)->words[place.word];
  const uint64_t before = word.load(std::memory_order_relaxed);
  word.store(uint64_t{TagOf(hash)} << 32 | (slot + 2), std::memory_order_seq_cst);
  if (before == kEmpty) ++used_;
  if (before <= kRemoved) {
    ++live_;
  } else {
    young_.slots.push_back(static_cast<uint32_t>(before) - 2);
  }
}

void KeyTable::Remove(const Place& place) {
  std::atomic<uint64_t>& word = words_.load(std::memory_order_relaxed)->words[place.word];
  const uint64_t before = word.load(std::memory_order_relaxed);
  word.store(kRemoved, std::memory_order_seq_cst);
  --live_;
  young_.slots.push_back(static_cast<uint32_t>(before) - 2);
}

KeyTable::Slot& KeyTable::SlotAt(uint32_t slot) { return chunks_[slot / kChunk][slot % kChunk]; }

uint32_t KeyTable::NewSlot() {
  if (!free_.empty()) {
    const uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  if (slots_ == chunks_.size() * kChunk) {
    std::vector<Slot*>& places = words_.load(std::memory_order_relaxed)->chunks;
    KUBE_CHECK(chunks_.size() < places.size()) << "a table of " << live_ << " objects has no slot";
    chunks_.push_back(std::make_unique_for_overwrite<Slot[]>(kChunk));
    places[chunks_.size() - 1] = chunks_.back().get();
  }
  return static_cast<uint32_t>(slots_++);
}

// A slot is free, or has an object, or is retired. There are fewer objects than words; Collect
// leaves fewer than kMaxRetired retired slots, to which up to kMostUncollected are added before it
// is called again. So there are never more slots than these together, but for the many that a store
// may have had before.
void KeyTable::Rebuild(size_t expected) {
  const size_t size = WordsFor(expected);
  const size_t most_slots = size + kMaxRetired + kMostUncollected;
  const size_t chunks = std::max(chunks_.size(), most_slots / kChunk + 1);
  auto words = std::make_unique<Words>(size, chunks);
  for (size_t i = 0; i < chunks_.size(); ++i) words->chunks[i] = chunks_[i].get();
  const Words* const old = own_words_.get();
  for (uint32_t from = 0; old != nullptr && from < old->size; ++from) {
    const uint64_t word = old->words[from].load(std::memory_order_relaxed);
    if (word <= kRemoved) continue;
    uint32_t i = words->First(static_cast<uint32_t>(word >> 32));
    while (words->words[i].load(std::memory_order_relaxed) != kEmpty) i = words->Next(i);
    words->words[i].store(word, std::memory_order_relaxed);
  }
  used_ = live_;
  words_.store(words.get(), std::memory_order_seq_cst);
  std::swap(own_words_, words);
  if (words != nullptr) young_.words.push_back(std::move(words));
}

void KeyTable::TakeFree(std::vector<Object>& garbage) {
  for (const uint32_t slot : old_.slots) garbage.push_back(std::move(SlotAt(slot).object));
  free_.insert(free_.end(), old_.slots.begin(), old_.slots.end());
  old_.slots.clear();
  old_.words.clear();
  std::swap(old_, young_);
}

// Without readers, all at once.
void KeyTable::Collect(std::vector<Object>& garbage) {
  for (int steps = 0; steps < 2 && sections_.Advance(); ++steps) TakeFree(garbage);
  if (young_.slots.size() + old_.slots.size() < kMaxRetired) return;
  sections_.WaitForReaders();
  for (int steps = 0; steps < 2; ++steps) TakeFree(garbage);
}

size_t KeyTable::MemoryBytes() const {
  const Words& words = *words_.load(std::memory_order_relaxed);
  return sizeof(KeyTable) + words.size * sizeof(uint64_t) +
         chunks_.size() * (sizeof(Slot) * kChunk + sizeof(void*)) +
         (free_.capacity() + young_.slots.capacity() + old_.slots.capacity()) * sizeof(uint32_t);
}

}  // namespace kube::listers::internal
