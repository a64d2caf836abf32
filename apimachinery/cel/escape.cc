#include "apimachinery/cel/escape.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace kube::cel {
namespace {

constexpr absl::string_view kReserved[] = {
    "true",     "false",   "null",      "in",       "as",  "break",  "const",
    "continue", "else",    "for",       "function", "if",  "import", "let",
    "loop",     "package", "namespace", "return",   "var", "void",   "while",
};

constexpr std::pair<absl::string_view, absl::string_view> kEscapes[] = {
    {"__", "underscores"},
    {".", "dot"},
    {"-", "dash"},
    {"/", "slash"},
};

bool IsReserved(absl::string_view name) { return absl::c_linear_search(kReserved, name); }

// Returns the size of "__word__" at the start of the text, or 0 if the text starts with something
// else.
size_t EscapeSize(absl::string_view text) {
  if (!absl::StartsWith(text, "__")) return 0;
  const size_t end = text.find('_', 2);
  if (end == absl::string_view::npos || end == 2) return 0;
  return absl::StartsWith(text.substr(end), "__") ? end + 2 : 0;
}

}  // namespace

std::optional<std::string> EscapeIdentifier(absl::string_view name) {
  if (name.empty() || absl::ascii_isdigit(static_cast<unsigned char>(name[0]))) {
    return std::nullopt;
  }
  if (IsReserved(name)) return absl::StrCat("__", name, "__");
  std::string out;
  while (!name.empty()) {
    const auto* escape =
        std::find_if(std::begin(kEscapes), std::end(kEscapes),
                     [&](const auto& each) { return absl::ConsumePrefix(&name, each.first); });
    if (escape != std::end(kEscapes)) {
      absl::StrAppend(&out, "__", escape->second, "__");
      continue;
    }
    if (!absl::ascii_isalnum(static_cast<unsigned char>(name[0])) && name[0] != '_') {
      return std::nullopt;
    }
    out += name[0];
    name.remove_prefix(1);
  }
  return out;
}

std::optional<std::string> UnescapeIdentifier(absl::string_view identifier) {
  std::string out;
  size_t i = 0;
  while (i < identifier.size()) {
    const size_t size = EscapeSize(identifier.substr(i));
    if (size == 0) {
      out += identifier[i++];
      continue;
    }
    const absl::string_view word = identifier.substr(i + 2, size - 4);
    const auto* escape = std::find_if(std::begin(kEscapes), std::end(kEscapes),
                                      [&](const auto& each) { return each.second == word; });
    if (escape != std::end(kEscapes)) {
      absl::StrAppend(&out, escape->first);
    } else if (IsReserved(word) && size == identifier.size()) {
      absl::StrAppend(&out, word);
    } else {
      return std::nullopt;
    }
    i += size;
  }
  return out;
}

}  // namespace kube::cel
