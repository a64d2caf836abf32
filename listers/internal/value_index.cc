#include "listers/internal/value_index.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <tuple>
#include <utility>

// Both trees of a ValueIndex, values and members, work as hash tables with linear probing: an entry
// whose hash is taken is stored under the next free number. Invariant: all numbers between the hash
// of an entry and the number it is stored under are taken. Probe relies on it, as it stops at the
// first free number, and RemoveAndRepair restores it by inserting the entries after a removed one
// again.

namespace kube::listers::internal {
namespace {

__extension__ using uint128 = unsigned __int128;

constexpr uint64_t kSecret0 = 0xa076'1d64'78bd'642f;
constexpr uint64_t kSecret1 = 0xe703'7ed1'a0b4'28db;

uint64_t Mix(uint64_t a, uint64_t b) {
  const uint128 product = uint128{a} * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// Returns up to eight bytes as a number in which each byte counts.
uint64_t Load(const char* p, size_t n) {
  if (n >= 4) {
    uint32_t first, last;
    std::memcpy(&first, p, 4);
    std::memcpy(&last, p + n - 4, 4);
    return uint64_t{first} << 32 | last;
  }
  if (n == 0) return 0;
  const auto byte = [p](size_t i) { return uint64_t{static_cast<unsigned char>(p[i])}; };
  return byte(0) << 16 | byte(n / 2) << 8 | byte(n - 1);
}

uint64_t HashBytes(absl::string_view bytes, uint64_t seed) {
  const char* p = bytes.data();
  size_t n = bytes.size();
  uint64_t hash = seed ^ kSecret0;
  for (; n > 16; p += 16, n -= 16) {
    uint64_t words[2];
    std::memcpy(words, p, 16);
    hash = Mix(words[0] ^ kSecret1, words[1] ^ hash);
  }
  const size_t half = n > 8 ? 8 : n;
  const uint64_t first = Load(p, half);
  const uint64_t second = Load(p + half, n - half);
  return Mix(kSecret1 ^ bytes.size(), Mix(first ^ kSecret1, second ^ hash));
}

// Searches from `hash` on. Returns the place of the first match, or the first free number and null.
template <typename V, typename Matches>
std::pair<uint64_t, const V*> Probe(const SlotTree<V>& tree, uint64_t hash, Matches matches) {
  while (true) {
    const V* const slot = tree.Find(hash);
    if (slot == nullptr || matches(*slot)) return {hash, slot};
    ++hash;
  }
}

// Removes the entry at `at` and inserts the entries that follow it again, since they may have been
// displaced by it.
template <typename V, typename HashOf>
V RemoveAndRepair(SlotTree<V>& tree, uint64_t at, HashOf hash_of) {
  V removed = tree.Remove(at);
  for (uint64_t next = at + 1; tree.Find(next) != nullptr; ++next) {
    V displaced = tree.Remove(next);
    const uint64_t hash = Probe(tree, hash_of(displaced), [](const V&) { return false; }).first;
    tree.Set(hash, std::move(displaced));
  }
  return removed;
}

}  // namespace

uint64_t Hasher::OfValue(absl::string_view value) const { return HashBytes(value, seed_) & mask_; }

uint64_t Hasher::OfKey(const ObjectKey& key) const {
  return HashBytes(key.name, HashBytes(key.namespace_name, seed_)) & mask_;
}

const Posting* ValueIndex::Find(const Hasher& hasher, absl::string_view value) const {
  const auto [hash, slot] = Probe(postings_, hasher.OfValue(value),
                                  [&](const Ref<Posting>& p) { return p->value == value; });
  return slot == nullptr ? nullptr : slot->get();
}

const ValueIndex::Object* ValueIndex::FindMember(const Context& context, const Posting& posting,
                                                 uint64_t hash, const ObjectKey& key) {
  return Probe(posting.members, hash,
               [&](const Object& object) { return context.traits->key(object.get()) == key; })
      .second;
}

const ValueIndex::Object* ValueIndex::FindByName(const Context& context, const Posting& posting,
                                                 uint64_t hash, absl::string_view name) {
  return Probe(posting.members, hash,
               [&](const Object& object) { return context.traits->key(object.get()).name == name; })
      .second;
}

Posting& ValueIndex::MutablePosting(const Hasher& hasher, absl::string_view value) {
  const auto [hash, slot] = Probe(postings_, hasher.OfValue(value),
                                  [&](const Ref<Posting>& p) { return p->value == value; });
  if (slot == nullptr) {
    auto posting = Ref<Posting>::Make();
    posting->value = std::string(value);
    postings_.Set(hash, posting);
    return *posting;
  }
  Ref<Posting>& posting = *postings_.FindMutable(hash);
  if (!posting->IsUnique()) posting = Ref<Posting>::Make(*posting);
  return *posting;
}

ValueIndex::Object ValueIndex::Set(const Context& context, absl::string_view value, uint64_t hash,
                                   Object object, const void* old) {
  // Most writes replace an object that is stored under its own hash.
  if (Ref<Posting>* const found = postings_.FindMutable(context.hasher.OfValue(value));
      found != nullptr && (*found)->value == value) {
    if (!(*found)->IsUnique()) *found = Ref<Posting>::Make(**found);
    Object* const slot = (*found)->members.FindMutable(hash);
    if (slot != nullptr && slot->get() == old) return std::exchange(*slot, std::move(object));
  }
  Posting& posting = MutablePosting(context.hasher, value);
  // Compares addresses only: the objects themselves are rarely in the processor's cache.
  const uint64_t at =
      Probe(posting.members, hash, [&](const Object& other) { return other.get() == old; }).first;
  return posting.members.Set(at, std::move(object));
}

ValueIndex::Object ValueIndex::Remove(const Context& context, absl::string_view value,
                                      uint64_t hash, const ObjectKey& key) {
  const Posting* const found = Find(context.hasher, value);
  if (found == nullptr) return nullptr;
  const auto [at, slot] = Probe(found->members, hash, [&](const Object& other) {
    return context.traits->key(other.get()) == key;
  });
  if (slot == nullptr) return nullptr;
  Posting& posting = MutablePosting(context.hasher, value);
  Object removed = RemoveAndRepair(posting.members, at, [&](const Object& object) {
    return context.hasher.OfKey(context.traits->key(object.get()));
  });
  if (posting.members.size() == 0) {
    const uint64_t here = Probe(postings_, context.hasher.OfValue(value), [&](const auto& p) {
                            return p.get() == &posting;
                          }).first;
    RemoveAndRepair(postings_, here,
                    [&](const Ref<Posting>& p) { return context.hasher.OfValue(p->value); });
  }
  return removed;
}

ValueIndex ValueIndex::Build(const Context& context, std::vector<Entry> entries) {
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.value, a.hash) < std::tie(b.value, b.hash);
  });
  ValueIndex index;
  std::vector<Entry> colliding;
  for (size_t i = 0; i < entries.size();) {
    const absl::string_view value = entries[i].value;
    std::vector<std::pair<uint64_t, Object>> members;
    for (; i < entries.size() && entries[i].value == value; ++i) {
      if (!members.empty() && members.back().first == entries[i].hash) {
        colliding.push_back(std::move(entries[i]));
      } else {
        members.emplace_back(entries[i].hash, std::move(entries[i].object));
      }
    }
    index.MutablePosting(context.hasher, value).members =
        ObjectTree::FromSorted(std::move(members));
  }
  // The same key twice, or two keys with the same hash.
  for (Entry& entry : colliding) {
    const Object* const old = FindMember(context, *index.Find(context.hasher, entry.value),
                                         entry.hash, context.traits->key(entry.object.get()));
    index.Set(context, entry.value, entry.hash, std::move(entry.object),
              old == nullptr ? nullptr : old->get());
  }
  return index;
}

size_t ValueIndex::MemoryBytes() const {
  size_t bytes = postings_.MemoryBytes();
  for (PostingTree::Cursor posting(postings_); !posting.done(); posting.Next()) {
    const Posting& p = *posting.value();
    // A short string is stored within std::string.
    const size_t text = p.value.capacity() < sizeof(std::string) / 2 ? 0 : p.value.capacity() + 1;
    bytes += sizeof(Posting) + text + p.members.MemoryBytes();
  }
  return bytes;
}

}  // namespace kube::listers::internal
