// The table of shared values, and the decisions what to look up, what to add and when to sweep.
//
// A value is identified by its encoded bytes and its type, a pointer that stands for the field or
// projection and the format (null for strings). `table_` finds the node by a seeded hash of both,
// with linear probing; a hit compares all bytes, so a collision costs time but never yields a wrong
// value.
//
// Three things keep lookups cheap. Each field has a Trial: after 256 lookups, if less than a sixth
// of them were hits, only every 32nd value of the field is looked up. Before hashing, a value is
// compared with the field's last hit. A value that is not found is added only if its hash is in
// `seen_`, that is, at its second sighting. `seen_` is a small cache that forgets: then the value
// needs another sighting.
//
// Nodes are reference-counted. The table holds one reference to each node, and an object holds one
// to each node it uses, however often: the node stores the number of its last holder. When the
// numbers start again, the holders of all nodes are reset. A sweep removes the nodes whose only
// reference is the table's. It runs when the bytes have doubled since the last sweep or, if
// max_bytes is reached, after as many rejected values as the table has. Everything here runs on the
// decoding thread; only dropping references happens on any thread.

#include "apimachinery/codec/sharing/sharing_store.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/codec/sharing/sharing_node.h"

namespace kube::codec {
namespace {

constexpr size_t kSmallestTable = 256;
constexpr size_t kSmallestSeen = 1024;
constexpr size_t kLargestSeen = 65536;
constexpr size_t kSmallestSweep = size_t{256} << 10;

// Hashes must not be predictable: otherwise an attacker could make all lookups slow by collisions.
uint64_t RandomSeed() {
  std::random_device device;
  return static_cast<uint64_t>(device()) << 32 | device();
}

uint64_t Load64(const char* p) {
  uint64_t value = 0;
  std::memcpy(&value, p, sizeof(value));
  return value;
}

// Combines both halves of the product, as wyhash and Abseil's hash do.
uint64_t Mix(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

constexpr uint64_t kSecret0 = 0x9E3779B97F4A7C15;
constexpr uint64_t kSecret1 = 0xD1B54A32D192ED03;
constexpr uint64_t kSecret2 = 0x8CB92BA72F3D8DD7;

// Hashes all bytes, in two independent lanes of sixteen bytes each, at several bytes per cycle.
uint64_t HashBytes(absl::string_view bytes, uint64_t seed) {
  const char* p = bytes.data();
  size_t n = bytes.size();
  uint64_t a = seed ^ kSecret0;
  uint64_t b = seed ^ kSecret2;
  for (; n > 32; p += 32, n -= 32) {
    a = Mix(Load64(p) ^ kSecret1, Load64(p + 8) ^ a);
    b = Mix(Load64(p + 16) ^ kSecret2, Load64(p + 24) ^ b);
  }
  a ^= b;
  if (n > 16) {
    a = Mix(Load64(p) ^ kSecret1, Load64(p + 8) ^ a);
    p += n - 16;
    n = 16;
  }
  char tail[16] = {};
  std::memcpy(tail, p, n);
  return Mix(Load64(tail) ^ kSecret1 ^ bytes.size(), Load64(tail + 8) ^ a);
}

}  // namespace

SharingStore::SharingStore(const SharingStoreOptions& options)
    : options_(options),
      seed_(RandomSeed()),
      table_(kSmallestTable),
      seen_(kSmallestSeen),
      bytes_at_next_sweep_(kSmallestSweep) {}

SharingStore::~SharingStore() {
  for (const Slot& slot : table_) {
    if (slot.node != nullptr) slot.node->DropReference();
  }
}

SharingStatistics SharingStore::statistics() const { return statistics_; }

void SharingStore::Sweep() {
  for (Trial& trial : trials_) trial.last = nullptr;
  std::vector<Slot> slots(table_.size());
  slots.swap(table_);
  statistics_.values = 0;
  ++statistics_.sweeps;
  for (const Slot& slot : slots) {
    if (slot.node == nullptr) continue;
    if (slot.node->IsUnused()) {
      statistics_.bytes -= slot.node->bytes();
      ++statistics_.swept;
      slot.node->DropReference();
    } else {
      Insert(slot);
    }
  }
  not_added_since_sweep_ = 0;
  bytes_at_next_sweep_ = std::max(kSmallestSweep, statistics_.bytes * 2);
}

void SharingStore::ForgetHolders() {
  for (const Slot& slot : table_) {
    if (slot.node != nullptr) slot.node->set_holder(0);
  }
  object_ = 1;
}

SharingStore::Trial& SharingStore::TrialOf(const void* type) {
  const uint64_t mixed = reinterpret_cast<uintptr_t>(type) * kSecret0;
  return trials_[mixed >> 53];
}

bool SharingStore::IsWorthwhile(Trial& trial) {
  constexpr uint32_t kFirstTrials = 256;
  // At this number both counters are halved, so that recent lookups count more than old ones.
  constexpr uint32_t kMostTrials = 1024;
  // With less than one hit in six, lookups cost more than they save. One value in 32 is still
  // looked up, to notice when the field begins to repeat.
  constexpr uint32_t kLeastHits = 6;
  constexpr uint32_t kSeldom = 32;
  if (trial.lookups >= kFirstTrials && trial.hits * kLeastHits < trial.lookups &&
      ++trial.skipped % kSeldom != 0) {
    return false;
  }
  if (++trial.lookups == kMostTrials) {
    trial.lookups /= 2;
    trial.hits /= 2;
  }
  return true;
}

uint64_t SharingStore::Hash(absl::string_view encoded, const void* type) const {
  return HashBytes(encoded, seed_ ^ reinterpret_cast<uintptr_t>(type));
}

internal::SharingNode* SharingStore::Recalled(internal::SharingNode* node) {
  ++statistics_.lookups;
  ++statistics_.hits;
  return node;
}

internal::SharingNode* SharingStore::RecallLast(const Trial& trial, const void* type,
                                                absl::string_view encoded) {
  if (trial.last == nullptr || !trial.last->Is(type, encoded)) return nullptr;
  return Recalled(trial.last);
}

internal::SharingNode* SharingStore::RecallPrefix(const Trial& trial, const void* type,
                                                  absl::string_view text) {
  if (trial.last == nullptr || !trial.last->BeginsAs(type, text)) return nullptr;
  return Recalled(trial.last);
}

size_t SharingStore::PlaceFrom(size_t i, uint64_t hash) const {
  const size_t mask = table_.size() - 1;
  i &= mask;
  while (table_[i].node != nullptr && table_[i].hash != hash) i = (i + 1) & mask;
  return i;
}

internal::SharingNode* SharingStore::Find(uint64_t hash, const void* type,
                                          absl::string_view encoded) {
  ++statistics_.lookups;
  for (size_t i = PlaceFrom(hash, hash); table_[i].node != nullptr; i = PlaceFrom(i + 1, hash)) {
    if (table_[i].node->Is(type, encoded)) {
      ++statistics_.hits;
      return table_[i].node;
    }
  }
  return nullptr;
}

bool SharingStore::IsSecondSighting(uint64_t hash) {
  uint32_t* const place = &seen_[(hash >> 32) & (seen_.size() - 2)];
  const auto mark = static_cast<uint32_t>(hash);
  if (place[0] == mark || place[1] == mark) return true;
  place[1] = place[0];
  place[0] = mark;
  if (++seen_since_growth_ > seen_.size() && seen_.size() < kLargestSeen) {
    std::vector<uint32_t>(seen_.size() * 4).swap(seen_);
    seen_since_growth_ = 0;
  }
  return false;
}

bool SharingStore::HasRoom(size_t bytes) {
  if (statistics_.bytes + bytes >= bytes_at_next_sweep_) Sweep();
  if (statistics_.bytes + bytes <= options_.max_bytes) return true;
  ++statistics_.not_added;
  // The store is full, but some values may be unused. A sweep visits each value, so it runs only
  // after as many rejections as there are values.
  if (++not_added_since_sweep_ > statistics_.values) Sweep();
  return false;
}

void SharingStore::Add(internal::SharingNode* node, uint64_t hash) {
  statistics_.bytes += node->bytes();
  ++statistics_.added;
  if ((statistics_.values + 1) * 4 > table_.size() * 3) {
    std::vector<Slot> slots(table_.size() * 2);
    slots.swap(table_);
    statistics_.values = 0;
    for (const Slot& slot : slots) {
      if (slot.node != nullptr) Insert(slot);
    }
  }
  Insert({node, hash});
}

void SharingStore::Insert(const Slot& slot) {
  const size_t mask = table_.size() - 1;
  size_t i = slot.hash & mask;
  while (table_[i].node != nullptr) i = (i + 1) & mask;
  table_[i] = slot;
  ++statistics_.values;
}

}  // namespace kube::codec
