#include "apimachinery/queryparams/values.h"

#include <cstddef>
#include <optional>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace kube::queryparams {

namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> Unescape(absl::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      const int high = text.size() - i > 2 ? HexDigit(text[i + 1]) : -1;
      const int low = text.size() - i > 2 ? HexDigit(text[i + 2]) : -1;
      if (high < 0 || low < 0) return std::nullopt;
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return out;
}

}  // namespace

std::string EscapeQuery(absl::string_view text) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.' ||
        c == '~') {
      out += c;
    } else if (c == ' ') {
      out += '+';
    } else {
      out += '%';
      out += kDigits[static_cast<unsigned char>(c) >> 4];
      out += kDigits[static_cast<unsigned char>(c) & 15];
    }
  }
  return out;
}

std::string EncodeQuery(const Values& values) {
  std::string out;
  for (const auto& [name, texts] : values) {
    const std::string escaped = EscapeQuery(name);
    for (const std::string& text : texts) {
      absl::StrAppend(&out, out.empty() ? "" : "&", escaped, "=", EscapeQuery(text));
    }
  }
  return out;
}

Values ParseQuery(absl::string_view query) {
  Values values;
  for (const absl::string_view pair : absl::StrSplit(query, '&', absl::SkipEmpty())) {
    // Some servers treat a semicolon like "&". Such a pair is refused, as in Go, because two
    // parsers could read it differently.
    if (pair.find(';') != absl::string_view::npos) continue;
    const size_t equals = pair.find('=');
    std::optional<std::string> name = Unescape(pair.substr(0, equals));
    std::optional<std::string> value =
        Unescape(equals == absl::string_view::npos ? "" : pair.substr(equals + 1));
    if (!name.has_value() || !value.has_value()) continue;
    values[*std::move(name)].push_back(*std::move(value));
  }
  return values;
}

}  // namespace kube::queryparams
