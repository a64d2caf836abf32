// Adds informers to a factory and removes them, ten thousand times by default, and fails if
// threads, descriptors or the heap pile up:
//
//   churn_soak [--rounds 10000] [--sample_every 100] [--objects 100]
//
// churn_test runs fifty rounds.

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "benchmarks/informer/churn.h"

ABSL_FLAG(int64_t, rounds, 10'000, "how often two informers are added and removed");
ABSL_FLAG(int64_t, sample_every, 100, "rounds between two samples");
ABSL_FLAG(int64_t, objects, 100, "objects of each of the two kinds");

namespace kube::benchmarks {
namespace {

absl::Status Run() {
  const absl::StatusOr<std::vector<ChurnSample>> samples =
      ChurnInformers({.rounds = absl::GetFlag(FLAGS_rounds),
                      .sample_every = absl::GetFlag(FLAGS_sample_every),
                      .objects = absl::GetFlag(FLAGS_objects),
                      .on_sample = [](const ChurnSample& s) {
                        std::cout << absl::StreamFormat(
                                         "%7d rounds: heap %d B, RSS %d kB, %d descriptors, %d "
                                         "threads",
                                         s.rounds, s.heap_bytes, s.rss_kb, s.descriptors, s.threads)
                                  << std::endl;
                      }});
  return samples.ok() ? CheckFlat(*samples) : samples.status();
}

}  // namespace
}  // namespace kube::benchmarks

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  const absl::Status status = kube::benchmarks::Run();
  if (status.ok()) return EXIT_SUCCESS;
  std::cerr << "churn_soak: " << status.message() << std::endl;
  return EXIT_FAILURE;
}
