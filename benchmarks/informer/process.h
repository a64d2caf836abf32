// What the kernel and malloc say of this process.
#ifndef BENCHMARKS_INFORMER_PROCESS_H_
#define BENCHMARKS_INFORMER_PROCESS_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kube::benchmarks {

// User and system time of all its threads, since its start.
absl::Duration ProcessCpu();

// A number of /proc/self/status: "VmRSS" and "VmHWM" are kB, "Threads". Zero: there is none.
int64_t ProcessStatus(absl::string_view name);

// What malloc has handed out, its own overhead included.
int64_t HeapBytes();

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_INFORMER_PROCESS_H_
