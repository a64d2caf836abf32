#ifndef CLIENTSET_PODLOGS_INTERNAL_LINE_SPLITTER_H_
#define CLIENTSET_PODLOGS_INTERNAL_LINE_SPLITTER_H_

#include <cstddef>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace kube::podlogs::internal {

// Splits a stream of bytes into lines. Thread-compatible.
class LineSplitter {
 public:
  // Takes a line, with its end of line if it has one. An error ends the splitting.
  using Sink = absl::FunctionRef<absl::Status(absl::string_view line)>;

  // A line that is longer than `max_line_bytes` is passed on in pieces, so that a log without ends
  // of lines takes no more memory.
  explicit LineSplitter(size_t max_line_bytes) : max_line_bytes_(max_line_bytes) {}

  // Adds bytes, and passes on the lines that are complete. Returns the error of `sink`.
  absl::Status Add(absl::string_view bytes, Sink sink);
  // Passes on the rest, if there is any.
  absl::Status Finish(Sink sink);

 private:
  const size_t max_line_bytes_;
  std::string begun_;
};

}  // namespace kube::podlogs::internal

#endif  // CLIENTSET_PODLOGS_INTERNAL_LINE_SPLITTER_H_
