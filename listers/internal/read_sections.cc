#include "listers/internal/read_sections.h"

#include <thread>

namespace kube::listers::internal {
namespace {

std::atomic<uint32_t> threads = 0;
constinit thread_local uint32_t this_thread = 0;  // from 1 on

}  // namespace

size_t ReadSections::ThisShard() {
  if (this_thread == 0) this_thread = threads.fetch_add(1, std::memory_order_relaxed) + 1;
  return this_thread % kShards;
}

// Why two: a reader may have looked at the phase long before it opens its section, and so count in
// either. Each counter has to be seen at zero once, after the thing was taken away: who counts
// later does not find it, as all of these operations are in one order. With one counter it would
// hardly ever be zero while many read; so those who come go to one, and the other drains.
bool ReadSections::Advance() {
  const uint32_t phase = phase_.load(std::memory_order_relaxed);
  for (const Shard& shard : shards_) {
    if (shard.open[(phase + 1) % 2].load(std::memory_order_seq_cst) != 0) return false;
  }
  phase_.store(phase + 1, std::memory_order_relaxed);
  return true;
}

// In a simulation no section is ever open here: its threads hand over only where they wait.
void ReadSections::WaitForReaders() {
  for (int steps = 0; steps < 2;) {
    if (Advance()) {
      ++steps;
    } else {
      std::this_thread::yield();
    }
  }
}

}  // namespace kube::listers::internal
