#ifndef TESTS_THREAD_CPU_TIME_H_
#define TESTS_THREAD_CPU_TIME_H_

#include <sys/resource.h>

#include "absl/time/time.h"

namespace kube::oracle {

// Returns the CPU time that the calling thread has used so far. For tests of growth: unlike
// wall-clock time, it does not depend on the load of the machine.
inline absl::Duration ThreadCpuTime() {
  rusage used = {};
  getrusage(RUSAGE_THREAD, &used);
  return absl::DurationFromTimeval(used.ru_utime) + absl::DurationFromTimeval(used.ru_stime);
}

}  // namespace kube::oracle

#endif  // TESTS_THREAD_CPU_TIME_H_
