// Informers that come and go: of a program whose kinds change at run time, nothing may be left
// behind by an informer that was removed.
#ifndef BENCHMARKS_INFORMER_CHURN_H_
#define BENCHMARKS_INFORMER_CHURN_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace kube::benchmarks {

// What this process uses while no informer exists.
struct ChurnSample {
  int64_t rounds = 0;
  int64_t heap_bytes = 0;  // zero where malloc does not say, as with a sanitizer
  int64_t rss_kb = 0;
  int64_t threads = 0;
  int64_t descriptors = 0;
};

struct ChurnOptions {
  // Rounds. In each, two informers with a handler are added to a factory, synced and removed; in
  // every tenth the factory is a new one.
  int64_t rounds = 10'000;
  // Rounds between two samples.
  int64_t sample_every = 100;
  // The number of objects of each of the two kinds.
  int64_t objects = 100;
  // Called with each sample. Null: not.
  std::function<void(const ChurnSample&)> on_sample = {};
};

// Runs the rounds against an API server in this process, through its sockets, and returns the
// samples. Blocks. Returns the first error of a factory or of the server, and DEADLINE_EXCEEDED if
// the server still has watches long after their informers are gone.
absl::StatusOr<std::vector<ChurnSample>> ChurnInformers(const ChurnOptions& options);

// Returns INTERNAL if threads or descriptors have grown since the first fifth of the samples, or
// the heap by more than a tenth and a mebibyte; INVALID_ARGUMENT if there are fewer than five
// samples.
absl::Status CheckFlat(const std::vector<ChurnSample>& samples);

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_INFORMER_CHURN_H_
