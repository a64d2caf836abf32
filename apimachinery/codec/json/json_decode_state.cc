#include "apimachinery/codec/json/json_decode_state.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/codec/internal/decode_path.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {

const char* JsonDecodeState::Fail(const char* p, absl::string_view cause) {
  return Stop(IsCutOff(p) ? end_ : p, cause);
}

const char* JsonDecodeState::Stop(const char* p, absl::string_view cause) {
  error_.at = p < end_ ? p : end_;
  error_.path = PathText(path_);
  error_.cause = p < end_ ? std::string(cause) : "unexpected end of input";
  return nullptr;
}

// Returns whether the text ends within the literal or number at `p`.
bool JsonDecodeState::IsCutOff(const char* p) const {
  if (p >= end_) return true;
  const absl::string_view rest(p, static_cast<size_t>(end_ - p));
  for (const absl::string_view literal : {"true", "false", "null"}) {
    if (rest.size() < literal.size() && literal.substr(0, rest.size()) == rest) return true;
  }
  return rest.find_first_not_of("-+.eE0123456789") == absl::string_view::npos &&
         (rest.back() < '0' || rest.back() > '9');
}

int JsonDecodeState::TextDepth() const {
  int depth = 0;
  for (const PathFrame* frame = path_; frame != nullptr; frame = frame->parent) {
    depth += frame->message->json_form == kube::table::JsonForm::kObject;
    depth += frame->index != PathFrame::kNoIndex;
    depth += frame->key != nullptr;
  }
  return depth;
}

void JsonDecodeState::CheckDuplicate(SeenFields& seen, uint32_t i,
                                     const kube::table::Message& message, PathFrame& frame) {
  seen.resize(message.field_count);
  if (seen[i]) {
    frame.field = nullptr;
    Report("duplicate field", message.field_name(message.fields[i]));
    frame.field = &message.fields[i];
  }
  seen[i] = true;
}

void JsonDecodeState::CheckDuplicateKey(std::set<std::string>& before, absl::string_view key) {
  if (!before.insert(std::string(key)).second) Report("duplicate field", key);
}

void JsonDecodeState::Report(absl::string_view what, absl::string_view name) {
  std::vector<std::string>& errors = *strict_errors_;
  constexpr size_t kMaxReports = 100;
  if (errors.size() >= kMaxReports) return;
  std::string path = PathText(path_);
  absl::StrAppend(&path, path.empty() ? "" : ".", name);
  std::string report = absl::StrCat(what, " ");
  text::AppendQuoted(report, path);
  if (std::find(errors.begin(), errors.end(), report) == errors.end()) {
    errors.push_back(std::move(report));
  }
}

}  // namespace kube::codec::internal
