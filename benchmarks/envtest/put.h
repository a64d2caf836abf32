#ifndef BENCHMARKS_ENVTEST_PUT_H_
#define BENCHMARKS_ENVTEST_PUT_H_

#include "absl/status/status.h"
#include "benchmarks/contract/contract.h"

namespace kube::benchmarks {

// Measures what managedFields cost: replaces a Deployment again and again on two embedded servers,
// with and without HandlerOptions::managed_fields, by turns. They are called without a network, so
// that the CPU time of this process is theirs. Reports "tracked_cpu" and "untracked_cpu", both of
// one replacement, and "ratio".
absl::Status MeasurePuts(Report& report);

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_ENVTEST_PUT_H_
