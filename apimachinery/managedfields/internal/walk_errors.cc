#include "apimachinery/managedfields/internal/walk_errors.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kube::managedfields::internal {

void WalkErrors::Add(std::string message) {
  if (errors_.size() == kMaxErrors) {
    ++left_out_;
    return;
  }
  errors_.push_back({.path = "", .message = std::move(message)});
}

void WalkErrors::PrefixAll(size_t count, absl::string_view text) {
  for (size_t i = count; i < errors_.size(); ++i) {
    errors_[i].path.insert(0, text.data(), text.size());
  }
}

absl::Status WalkErrors::ToStatus() const {
  if (errors_.empty()) return absl::OkStatus();
  std::string text = errors_.size() == 1 ? "" : "errors:";
  for (const Error& error : errors_) {
    if (errors_.size() != 1) absl::StrAppend(&text, "\n  ");
    absl::StrAppend(&text, error.path, error.path.empty() ? "" : ": ", error.message);
  }
  if (left_out_ != 0) absl::StrAppend(&text, "\n  and ", left_out_, " more");
  return absl::InvalidArgumentError(text);
}

}  // namespace kube::managedfields::internal
