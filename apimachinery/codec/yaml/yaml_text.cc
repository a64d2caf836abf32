#include "apimachinery/codec/yaml/yaml_text.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/text/utf8.h"

namespace kube::codec::internal {
namespace {

constexpr int kMaxOpenBrackets = 10000;

// What go-yaml's reader lets pass (readerc.go), beyond ASCII.
bool IsAllowed(char32_t rune) {
  if (rune < 0xA0) return rune == 0x85;
  return rune != 0xFFFE && rune != 0xFFFF;
}

bool IsAllowedAscii(char c) {
  return (c >= 0x20 && c <= 0x7E) || c == '\t' || c == '\n' || c == '\r';
}

class Preparation {
 public:
  Preparation(absl::string_view yaml, int first_line) : in_(yaml), first_line_(first_line) {
    out_.reserve(yaml.size());
  }

  absl::StatusOr<std::string> Run() {
    while (at_ < in_.size()) {
      const char c = in_[at_];
      if (static_cast<unsigned char>(c) >= 0x80) {
        if (const char* cause = CopyRune(); cause != nullptr) return Error(cause);
        continue;
      }
      if (!IsAllowedAscii(c)) return Error("control characters are not allowed");
      if (c == '[' || c == '{') {
        if (++open_ > kMaxOpenBrackets) return Error("too many brackets are open");
      } else if (c == ']' || c == '}') {
        open_ = std::max(open_ - 1, 0);
      }
      ++at_;
      if (c == '\r' && at_ < in_.size() && in_[at_] == '\n') continue;
      out_.push_back(c == '\r' ? '\n' : c);
    }
    return std::move(out_);
  }

 private:
  // The cause, where this is nothing to copy.
  const char* CopyRune() {
    const text::Rune rune = text::DecodeRune(in_.substr(at_));
    if (rune.invalid()) return "text is not UTF-8";
    if (!IsAllowed(rune.value)) return "control characters are not allowed";
    if (rune.value == 0x85) {
      out_.push_back('\n');
    } else {
      out_.append(in_.data() + at_, rune.size);
    }
    at_ += rune.size;
    return nullptr;
  }

  absl::Status Error(absl::string_view cause) const {
    const size_t line_start = out_.rfind('\n') + 1;
    return YamlError(first_line_ + static_cast<int>(std::count(out_.begin(), out_.end(), '\n')),
                     static_cast<int>(out_.size() - line_start) + 1, cause);
  }

  const absl::string_view in_;
  const int first_line_;
  size_t at_ = 0;
  std::string out_;
  int open_ = 0;
};

}  // namespace

absl::Status YamlError(int line, int column, absl::string_view cause) {
  return absl::InvalidArgumentError(absl::StrCat("line ", line, ", column ", column, ": ", cause));
}

absl::StatusOr<std::string> PrepareYaml(absl::string_view yaml, int first_line) {
  if (absl::StartsWith(yaml, "\xFF\xFE") || absl::StartsWith(yaml, "\xFE\xFF")) {
    return YamlError(first_line, 1, "text is UTF-16, not UTF-8");
  }
  absl::ConsumePrefix(&yaml, "\xEF\xBB\xBF");
  return Preparation(yaml, first_line).Run();
}

}  // namespace kube::codec::internal
