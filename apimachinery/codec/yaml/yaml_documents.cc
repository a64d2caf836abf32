#include "apimachinery/codec/yaml/yaml_documents.h"

#include <algorithm>
#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace kube::codec {

absl::string_view YamlDocuments::TakeLine() {
  const size_t end = std::min(rest_.find('\n'), rest_.size() - 1) + 1;
  const absl::string_view line = rest_.substr(0, end);
  rest_.remove_prefix(end);
  ++line_;
  return line;
}

absl::StatusOr<std::optional<YamlDocument>> YamlDocuments::Next() {
  const char* const begin = rest_.data();
  const int first_line = line_ + 1;
  size_t size = 0;
  while (!rest_.empty()) {
    const absl::string_view line = TakeLine();
    absl::string_view after = line;
    if (absl::ConsumePrefix(&after, "---")) {
      after = absl::StripAsciiWhitespace(after);
      if (!after.empty() && !absl::StartsWith(after, "#")) {
        rest_ = {};
        return absl::InvalidArgumentError(
            absl::StrCat("split YAML: line ", line_, ": invalid Yaml document separator"));
      }
      // A separator that nothing precedes belongs to the document after it.
      if (size > 0) return YamlDocument{{begin, size}, first_line};
    }
    size += line.size();
  }
  if (size == 0) return std::nullopt;
  YamlDocument document{{begin, size}, first_line};
  // apimachinery's reader adds the missing line break at the end of the stream, which matters for
  // what a `|` block keeps.
  if (!absl::EndsWith(document.text, "\n")) {
    last_ = absl::StrCat(document.text, "\n");
    document.text = last_;
  }
  return document;
}

}  // namespace kube::codec
