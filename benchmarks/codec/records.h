// The files that data/main.go writes.
#ifndef BENCHMARKS_CODEC_RECORDS_H_
#define BENCHMARKS_CODEC_RECORDS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::benchmarks {

// One data set in one format: 10,000 pods and the PodList of the same pods. The set M has objects
// of several kinds, and the names of their kinds in place of the list. The views are valid until
// the program ends. 64 bytes behind each view are readable, too.
struct Records {
  std::vector<absl::string_view> pods;
  absl::string_view list;
};

// Maps the file into memory, so that reading it costs neither heap nor time later.
absl::StatusOr<Records> OpenRecords(const std::string& path);

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_CODEC_RECORDS_H_
