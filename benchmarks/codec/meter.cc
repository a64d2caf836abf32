#include "benchmarks/codec/meter.h"

#include <malloc.h>

#include <algorithm>
#include <climits>
#include <ctime>
#include <iostream>
#include <vector>

#include "absl/strings/str_cat.h"

namespace kube::benchmarks {
namespace {

constexpr int64_t kAtLeastNs = 300'000'000;

int64_t Nanoseconds(clockid_t clock) {
  timespec now = {};
  clock_gettime(clock, &now);
  return now.tv_sec * int64_t{1'000'000'000} + now.tv_nsec;
}

int64_t HeapBytes() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<int64_t>(info.uordblks + info.hblkhd);
}

// What one part has taken so far.
struct Total {
  int64_t wall = 0;
  int64_t cpu = 0;  // of all threads

  void Run(const Meter::Part& part, size_t begin, size_t end) {
    const int64_t cpu_start = Nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
    const int64_t start = Nanoseconds(CLOCK_MONOTONIC);
    part.run(begin, end);
    wall += Nanoseconds(CLOCK_MONOTONIC) - start;
    cpu += Nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
  }

  void Report(const Meter::Part& part, double passes, double pods, Report& report) const {
    if (part.name.empty()) return;
    report.Add(part.name, "ns", static_cast<double>(wall) / passes / pods);
    report.Add(absl::StrCat(part.name, "_cpu"), "ns", static_cast<double>(cpu) / passes / pods);
    if (part.bytes == 0) return;
    const double bytes = static_cast<double>(part.bytes) * passes;
    report.Add(absl::StrCat(part.name, "_rate"), "MB/s", bytes * 1e3 / static_cast<double>(wall));
  }
};

}  // namespace

Meter::Meter(size_t pods) : pods_(pods) {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

void Meter::Memory(absl::FunctionRef<void()> make) {
  const double pods = static_cast<double>(pods_);
  const int64_t rss = Measure().rss_anon_bytes;
  const int64_t heap = HeapBytes();
  make();
  report_.Add("heap", "B", static_cast<double>(HeapBytes() - heap) / pods);
  report_.Add("rss", "B", static_cast<double>(Measure().rss_anon_bytes - rss) / pods);
}

void Meter::Time(std::initializer_list<Part> parts, size_t batch) {
  std::vector<Total> totals(parts.size());
  const auto pass = [&] {
    for (size_t begin = 0; begin < pods_; begin += batch) {
      Total* total = totals.data();
      for (const Part& part : parts) (total++)->Run(part, begin, std::min(begin + batch, pods_));
    }
  };
  pass();
  totals.assign(parts.size(), {});
  int64_t passes = 0;
  const int64_t start = Nanoseconds(CLOCK_MONOTONIC);
  while (Nanoseconds(CLOCK_MONOTONIC) - start < kAtLeastNs) {
    pass();
    ++passes;
  }
  const Total* total = totals.data();
  for (const Part& part : parts) {
    (total++)->Report(part, static_cast<double>(passes), static_cast<double>(pods_), report_);
  }
}

void Meter::Print() const { std::cout << report_.ToJson() << std::endl; }

}  // namespace kube::benchmarks
