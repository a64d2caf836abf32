#include "apimachinery/codec/internal/heap_growth.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "apimachinery/table/layout.h"

namespace kube::codec::internal {
namespace {

// A cache of a few objects need not have pages that it may never use.
constexpr size_t kFirstPopulated = 10;

// Lets the system bring all pages at once. Where it cannot, each brings itself.
void Populate([[maybe_unused]] char* memory, [[maybe_unused]] size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  static const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t skipped = -reinterpret_cast<uintptr_t>(memory) % page;
  if (skipped < bytes)
    madvise(memory + skipped, (bytes - skipped) / page * page, MADV_POPULATE_WRITE);
#endif
}

}  // namespace

void HeapGrowth::Grow() {
  bytes_ = 0;
  // volatile: or compilers leave both calls out.
  char* volatile memory = kube::table::Allocate(kStep);
  if (memory == last_) {
    interval_ = std::min(interval_ * 2, kLongestInterval);
  } else {
    interval_ = kInterval;
    last_ = memory;
    if (++steps_ > kFirstPopulated) Populate(memory, kStep);
  }
  kube::table::Free(memory);
}

}  // namespace kube::codec::internal
