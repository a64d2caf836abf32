#include "apimachinery/codec/internal/heap_growth.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "apimachinery/table/layout.h"

namespace kube::codec::internal {
namespace {

// The first steps are not populated: a cache with few objects may never use the pages.
constexpr size_t kFirstPopulated = 10;

// Asks the system to provide all pages at once. If it cannot, each page is provided when it is
// used.
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
  // volatile keeps compilers from removing both calls.
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
