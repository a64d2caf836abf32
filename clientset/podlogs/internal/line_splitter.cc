#include "clientset/podlogs/internal/line_splitter.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"

namespace kube::podlogs::internal {

absl::Status LineSplitter::Add(absl::string_view bytes, Sink sink) {
  while (!bytes.empty()) {
    const size_t end = bytes.find('\n');
    const size_t line = end == absl::string_view::npos ? bytes.size() : end + 1;
    const size_t size = std::min(line, max_line_bytes_ - begun_.size());
    const absl::string_view piece = bytes.substr(0, size);
    bytes.remove_prefix(size);
    const bool is_complete =
        piece.back() == '\n' || begun_.size() + piece.size() == max_line_bytes_;
    if (is_complete && begun_.empty()) {
      KUBE_RETURN_IF_ERROR(sink(piece));
      continue;
    }
    absl::StrAppend(&begun_, piece);
    if (is_complete) KUBE_RETURN_IF_ERROR(Finish(sink));
  }
  return absl::OkStatus();
}

absl::Status LineSplitter::Finish(Sink sink) {
  const std::string rest = std::exchange(begun_, "");
  return rest.empty() ? absl::OkStatus() : sink(rest);
}

}  // namespace kube::podlogs::internal
