// Resource usage of this process, as the kernel and malloc report it.
#ifndef BENCHMARKS_INFORMER_PROCESS_H_
#define BENCHMARKS_INFORMER_PROCESS_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kube::benchmarks {

// Returns user and system time of all threads since the start.
absl::Duration ProcessCpu();

// Returns a number from /proc/self/status, such as "VmRSS" and "VmHWM" in kB, or "Threads"; zero if
// the file has no such number.
int64_t ProcessStatus(absl::string_view name);

// Returns the bytes handed out by malloc, including its overhead.
int64_t HeapBytes();

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_INFORMER_PROCESS_H_
