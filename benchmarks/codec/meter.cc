#include "benchmarks/codec/meter.h"

#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <climits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"

namespace kube::benchmarks {
namespace {

base::MonotonicTime Now() { return base::Runtime::Real().Now(); }

// Returns the CPU time of all threads.
absl::Duration CpuTime() {
  rusage used = {};
  getrusage(RUSAGE_SELF, &used);
  return absl::DurationFromTimeval(used.ru_utime) + absl::DurationFromTimeval(used.ru_stime);
}

double HeapBytes() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

// The time that one part has taken so far.
struct Total {
  absl::Duration wall;
  absl::Duration cpu;

  void Run(const Meter::Part& part, size_t begin, size_t end) {
    const absl::Duration cpu_start = CpuTime();
    const base::MonotonicTime start = Now();
    part.run(begin, end);
    wall += Now() - start;
    cpu += CpuTime() - cpu_start;
  }

  // `times` is the number of pods processed; each pod is processed once per pass.
  void AddTo(Report& report, const Meter::Part& part, double passes, double times) const {
    if (part.name.empty()) return;
    report.Add(part.name, "ns", absl::ToDoubleNanoseconds(wall) / times);
    report.Add(absl::StrCat(part.name, "_cpu"), "ns", absl::ToDoubleNanoseconds(cpu) / times);
    if (part.bytes == 0) return;
    const double bytes = static_cast<double>(part.bytes) * passes;
    report.Add(absl::StrCat(part.name, "_rate"), "MB/s",
               bytes / std::max(absl::ToDoubleMicroseconds(wall), 1e-3));
  }
};

}  // namespace

Meter::Meter(size_t pods, absl::Duration at_least) : pods_(pods), at_least_(at_least) {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

void Meter::Memory(absl::FunctionRef<void()> make) {
  const double pods = static_cast<double>(pods_);
  const int64_t rss = Measure().rss_anon_bytes;
  const double heap = HeapBytes();
  make();
  report_.Add("heap", "B", (HeapBytes() - heap) / pods);
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
  double passes = 0;
  const base::MonotonicTime start = Now();
  do {
    pass();
    ++passes;
  } while (Now() - start < at_least_);
  const Total* total = totals.data();
  for (const Part& part : parts) {
    (total++)->AddTo(report_, part, passes, passes * static_cast<double>(pods_));
  }
}

}  // namespace kube::benchmarks
