// The files that data/main.go writes.
#ifndef BENCHMARKS_CODEC_RECORDS_H_
#define BENCHMARKS_CODEC_RECORDS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::benchmarks {

// One set in one format: 10,000 pods, and the PodList of the same pods. Of the set M they are
// objects of several kinds, and in place of the list there are the names of their kinds. The views
// are good until the program ends. 64 bytes behind each of them may be read too.
struct Records {
  std::vector<absl::string_view> pods;
  absl::string_view list;
};

// Maps the file into memory. It costs no heap and no time later.
absl::StatusOr<Records> OpenRecords(const std::string& path);

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_CODEC_RECORDS_H_
