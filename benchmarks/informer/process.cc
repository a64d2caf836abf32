#include "benchmarks/informer/process.h"

#include <malloc.h>
#include <sys/resource.h>

#include <cstdint>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kube::benchmarks {

absl::Duration ProcessCpu() {
  rusage used = {};
  getrusage(RUSAGE_SELF, &used);
  return absl::DurationFromTimeval(used.ru_utime) + absl::DurationFromTimeval(used.ru_stime);
}

int64_t ProcessStatus(absl::string_view name) {
  const std::string wanted = absl::StrCat(name, ":");
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    int64_t number = 0;
    if (word == wanted && status >> number) return number;
  }
  return 0;
}

int64_t HeapBytes() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<int64_t>(info.uordblks + info.hblkhd);
}

}  // namespace kube::benchmarks
