#include "controller/workqueue/internal/queue_state.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"

namespace kube::workqueue::internal {

namespace {

constexpr int kNumberBits = 48;  // of a rank; nine years of a million adds a second

template <typename Word>
uint64_t Load(const char* from) {
  Word value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

// Of up to eight characters: reads that overlap, but none of a length that is only known now.
uint64_t LoadShort(absl::string_view text) {
  const size_t n = text.size();
  const char* const at = text.data();
  if (n >= 4) return Load<uint32_t>(at) | Load<uint32_t>(at + n - 4) << 32;
  if (n == 0) return 0;
  return Load<uint8_t>(at) | Load<uint8_t>(at + n / 2) << 8 | Load<uint8_t>(at + n - 1) << 16;
}

// Both halves of the product, of which every bit depends on every bit of the factors.
uint64_t Mix(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

absl::Duration Since(uint64_t then, uint64_t now) {
  return absl::Nanoseconds(now > then ? now - then : 0);
}

}  // namespace

template <typename Node>
bool QueueState::ByTime::Less(const Node& a, const Node& b) const {
  if (a.key != b.key) return a.key < b.key;
  if (state->by_priority_) return state->ExtraAt(a.ref).rank < state->ExtraAt(b.ref).rank;
  return static_cast<int32_t>(a.tie - b.tie) < 0;  // the numbers wrap around
}

QueueState::QueueState(bool by_priority, QueueMetrics* metrics)
    : by_priority_(by_priority),
      metrics_(metrics),
      extra_size_(by_priority || metrics != nullptr ? sizeof(Extra) : 0),
      waiting_(ByTime{this}),
      ready_heap_(ByRank{this}) {}

uint32_t QueueState::Hash(absl::string_view text) {
  // As wyhash, of which absl::Hash is made too; but that is a call into a shared library. Seeded,
  // as there, with an address, so that nobody can choose names that collide.
  static const char seed = 0;
  const uint64_t secret = reinterpret_cast<uintptr_t>(&seed) * 0x9e37'79b9'7f4a'7c15;
  const char* const at = text.data();
  const size_t n = text.size();
  uint64_t hash = secret ^ n;
  for (size_t i = 0; i + 16 < n; i += 16) {
    hash = Mix(Load<uint64_t>(at + i) ^ secret, Load<uint64_t>(at + i + 8) ^ hash);
  }
  // The last sixteen, or all; what is read twice does no harm.
  const uint64_t last = n >= 8 ? Load<uint64_t>(at + n - 8) : LoadShort(text);
  const uint64_t before = n >= 16 ? Load<uint64_t>(at + n - 16) : n >= 8 ? Load<uint64_t>(at) : 0;
  return static_cast<uint32_t>(Mix(before ^ secret, last ^ hash));
}

uint64_t QueueState::RankOf(int16_t priority) {
  // The highest priority is the lowest rank.
  return uint64_t(std::numeric_limits<int16_t>::max() - priority) << kNumberBits;
}

int16_t QueueState::PriorityAt(Ref ref) {
  if (!by_priority_) return 0;
  return static_cast<int16_t>(std::numeric_limits<int16_t>::max() -
                              static_cast<int>(ExtraAt(ref).rank >> kNumberBits));
}

Ref QueueState::FindOrMake(absl::string_view text, uint32_t hash) {
  return table_.FindOrInsert(
      hash, [&](Ref ref) { return At(ref).text() == text; },
      [&] {
        KUBE_CHECK(text.size() < size_t{1} << 29) << "a key of a work queue";
        const Ref ref = blocks_.Allocate(extra_size_ + sizeof(Entry) + text.size());
        if (extra_size_ > 0) std::construct_at(&ExtraAt(ref));
        Entry* entry = std::construct_at(&At(ref));
        entry->size_and_flags = static_cast<uint32_t>(text.size());
        if (!text.empty()) std::memcpy(entry + 1, text.data(), text.size());
        return ref;
      });
}

inline void QueueState::EraseIfUnused(Ref ref, const Entry& entry, uint32_t hash) {
  if ((entry.size_and_flags & kFlags) != 0) return;
  table_.Erase(hash, ref);
  blocks_.Free(ref, extra_size_ + sizeof(Entry) + entry.size());
}

void QueueState::Add(absl::string_view text, uint32_t hash, int16_t priority, uint64_t now) {
  const Ref ref = FindOrMake(text, hash);
  Entry& entry = At(ref);
  if (!by_priority_) {
    if (!entry.Has(kDirty)) BecomeDirty(ref, entry, now);
    return;
  }
  if (entry.Has(kDirty)) {
    Raise(ref, priority);
  } else if (entry.Has(kWaiting)) {
    // It keeps its number, unless it is raised: it has been here since.
    Raise(ref, priority);
    waiting_.Remove(entry.heap_index);
    entry.Clear(kWaiting);
    BecomeDirty(ref, entry, now);
  } else {
    ExtraAt(ref).rank = NewRank(priority);
    BecomeDirty(ref, entry, now);
  }
}

void QueueState::AddAt(absl::string_view text, uint32_t hash, int16_t priority, uint64_t when,
                       uint64_t now) {
  if (metrics_ != nullptr) metrics_->Retried();
  if (when <= now) return Add(text, hash, priority, now);
  const Ref ref = FindOrMake(text, hash);
  Entry& entry = At(ref);
  const uint32_t tie = next_tie_++;
  if (by_priority_) {
    if (entry.Has(kDirty)) return Raise(ref, priority);
    if (entry.Has(kWaiting)) {
      Raise(ref, priority);
    } else {
      ExtraAt(ref).rank = NewRank(priority);
    }
  }
  if (!entry.Has(kWaiting)) {
    entry.Set(kWaiting);
    waiting_.Push({when, tie, ref});
  } else if (const uint32_t index = entry.heap_index; waiting_.at(index).key > when) {
    waiting_.Change(index, {when, tie, ref});
  }
}

void QueueState::Raise(Ref ref, int16_t priority) {
  const int16_t before = PriorityAt(ref);
  if (priority <= before) return;
  ExtraAt(ref).rank = NewRank(priority);
  if (At(ref).Has(kWaiting)) {
    // Its place among those of the same time.
    const uint32_t index = At(ref).heap_index;
    waiting_.Change(index, waiting_.at(index));
    return;
  }
  if (metrics_ != nullptr) metrics_->Raised(before, priority);
  if (!At(ref).Has(kProcessing)) {
    ready_heap_.Change(At(ref).heap_index, {ExtraAt(ref).rank, 0, ref});
  }
}

inline void QueueState::BecomeDirty(Ref ref, Entry& entry, uint64_t now) {
  entry.Set(kDirty);
  if (metrics_ != nullptr) {
    metrics_->Added(PriorityAt(ref));
    ExtraAt(ref).added = now;
  }
  if (!entry.Has(kProcessing)) PushReady(ref, entry);
}

inline void QueueState::PushReady(Ref ref, Entry& entry) {
  if (by_priority_) {
    ready_heap_.Push({ExtraAt(ref).rank, 0, ref});
    return;
  }
  (ready_ == 0 ? first_ready_ : last_ready_->next) = ref;
  last_ready_ = &entry;
  ++ready_;
}

inline Ref QueueState::PopReady() {
  if (by_priority_) {
    const Ref ref = ready_heap_.top().ref;
    ready_heap_.Pop();
    return ref;
  }
  const Ref ref = first_ready_;
  first_ready_ = At(ref).next;
  --ready_;
  return ref;
}

void QueueState::Take(uint64_t now, Taken& taken) {
  const Ref ref = PopReady();
  Entry& entry = At(ref);
  entry.Clear(kDirty);
  entry.Set(kProcessing);
  ++processing_;
  taken.ref = ref;
  taken.text = entry.text();
  taken.hash = Hash(taken.text);
  table_.Prefetch(taken.hash);
  taken.priority = PriorityAt(ref);
  if (metrics_ != nullptr) {
    metrics_->Taken(taken.priority, Since(ExtraAt(ref).added, now));
    StartWork(ref, now);
  }
}

void QueueState::Done(Ref ref, uint32_t hash, uint64_t now) {
  Entry& entry = At(ref);
  if (metrics_ != nullptr) {
    metrics_->Done(Since(ExtraAt(ref).started, now));
    EndWork(ref);
  }
  --processing_;
  entry.Clear(kProcessing);
  if (entry.Has(kDirty)) {
    PushReady(ref, entry);
  } else {
    EraseIfUnused(ref, entry, hash);
  }
}

void QueueState::MakeReady(uint64_t now) {
  while (next_due() <= now) {
    const auto node = waiting_.top();
    waiting_.Pop();
    Entry& entry = At(node.ref);
    entry.Clear(kWaiting);
    if (by_priority_) ExtraAt(node.ref).rank = NewRank(PriorityAt(node.ref));
    // Counts from when it was due, also if nobody looked until now.
    if (!entry.Has(kDirty)) BecomeDirty(node.ref, entry, node.key);
  }
}

void QueueState::DropWaiting() {
  for (const auto& node : waiting_.nodes()) {
    Entry& entry = At(node.ref);
    entry.Clear(kWaiting);
    EraseIfUnused(node.ref, entry, Hash(entry.text()));
  }
  waiting_.Clear();
}

void QueueState::StartWork(Ref ref, uint64_t now) {
  Extra& extra = ExtraAt(ref);
  extra.started = now;
  extra.previous = last_taken_;
  At(ref).next = kNowhere;
  (last_taken_ == kNowhere ? first_taken_ : At(last_taken_).next) = ref;
  last_taken_ = ref;
  sum_of_starts_ += now;
}

void QueueState::EndWork(Ref ref) {
  const Extra& extra = ExtraAt(ref);
  const Ref next = At(ref).next;
  (extra.previous == kNowhere ? first_taken_ : At(extra.previous).next) = next;
  (next == kNowhere ? last_taken_ : ExtraAt(next).previous) = extra.previous;
  sum_of_starts_ -= extra.started;
}

void QueueState::UpdateUnfinished(uint64_t now) {
  const uint64_t total = processing_ * now - sum_of_starts_;
  const absl::Duration longest =
      first_taken_ == kNowhere ? absl::ZeroDuration() : Since(ExtraAt(first_taken_).started, now);
  metrics_->Unfinished(absl::Nanoseconds(total), longest);
}

}  // namespace kube::workqueue::internal
