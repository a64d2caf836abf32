#include "codegen/crds/parse_json.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "codegen/crds/yaml_value.h"

namespace kube::codegen {
namespace {

constexpr int kMaxDepth = 100;

void AppendUtf8(uint32_t c, std::string& out) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | c >> 6);
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | c >> 12);
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | c >> 18);
    out += static_cast<char>(0x80 | (c >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

// Each function reads what it is named for, and returns false where that is not.
class Parser {
 public:
  explicit Parser(absl::string_view text) : text_(text) {}

  bool Document(YamlValue& value) {
    if (!Value(value, 0)) return false;
    SkipSpace();
    return at_ == text_.size();
  }

  size_t at() const { return at_; }

 private:
  void SkipSpace() {
    while (at_ < text_.size() && absl::StrContains(" \t\r\n", text_[at_])) ++at_;
  }
  // A character behind spaces.
  bool Take(char c) {
    SkipSpace();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool Word(absl::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  bool Digits() {
    const size_t begin = at_;
    while (at_ < text_.size() && absl::ascii_isdigit(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ > begin;
  }

  bool Value(YamlValue& value, int depth);
  bool Number(YamlValue& value);
  bool Text(std::string& out);
  bool Escape(std::string& out);
  bool Hex(uint32_t& unit);
  bool Map(YamlValue& value, int depth);
  bool List(YamlValue& value, int depth);

  absl::string_view text_;
  size_t at_ = 0;
};

bool Parser::Hex(uint32_t& unit) {
  if (at_ + 4 > text_.size()) return false;
  unit = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const auto c = static_cast<unsigned char>(absl::ascii_tolower(text_[at_]));
    if (!absl::ascii_isxdigit(c)) return false;
    unit = unit * 16 + (absl::ascii_isdigit(c) ? c - '0' : c - 'a' + 10);
  }
  return true;
}

bool Parser::Escape(std::string& out) {
  static constexpr absl::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  const size_t letter = at_ < text_.size() ? kLetters.find(text_[at_]) : kLetters.npos;
  if (letter != kLetters.npos) {
    out += kMeanings[letter];
    ++at_;
    return true;
  }
  uint32_t unit = 0, second = 0;
  if (!Word("u") || !Hex(unit)) return false;
  if (unit >= 0xD800 && unit < 0xDC00) {
    if (!Word("\\u") || !Hex(second) || second < 0xDC00 || second > 0xDFFF) return false;
    unit = 0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00);
  }
  if (unit >= 0xD800 && unit < 0xE000) return false;
  AppendUtf8(unit, out);
  return true;
}

bool Parser::Text(std::string& out) {
  if (!Take('"')) return false;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (static_cast<unsigned char>(c) < 0x20) return false;
    ++at_;
    if (c == '"') return true;
    if (c != '\\') {
      out += c;
    } else if (!Escape(out)) {
      return false;
    }
  }
  return false;
}

// An integer keeps its digits, whatever its size.
bool Parser::Number(YamlValue& value) {
  const size_t begin = at_;
  Word("-");
  if (!Word("0") && !Digits()) return false;
  bool is_integer = true;
  if (Word(".")) {
    if (!Digits()) return false;
    is_integer = false;
  }
  if (Word("e") || Word("E")) {
    if (!Word("+")) Word("-");
    if (!Digits()) return false;
    is_integer = false;
  }
  const std::string text(text_.substr(begin, at_ - begin));
  if (is_integer) {
    value = {.kind = YamlValue::Kind::kInteger, .text = text};
  } else {
    value = YamlValue::Number(std::strtod(text.c_str(), nullptr));
  }
  return true;
}

bool Parser::Map(YamlValue& value, int depth) {
  if (Take('}')) return true;
  do {
    std::string key;
    if (!Text(key) || !Take(':') || !Value(value[key], depth + 1)) return false;
  } while (Take(','));
  return Take('}');
}

bool Parser::List(YamlValue& value, int depth) {
  value = YamlValue::List();
  if (Take(']')) return true;
  do {
    if (!Value(value.Add({}), depth + 1)) return false;
  } while (Take(','));
  return Take(']');
}

bool Parser::Value(YamlValue& value, int depth) {
  if (depth > kMaxDepth) return false;
  value = {};
  if (Take('{')) return Map(value, depth);
  if (Take('[')) return List(value, depth);
  if (at_ < text_.size() && text_[at_] == '"') {
    value.kind = YamlValue::Kind::kString;
    return Text(value.text);
  }
  if (Word("true") || Word("false")) {
    value = YamlValue::Bool(text_[at_ - 2] == 'u');
    return true;
  }
  if (Word("null")) {
    value = {.kind = YamlValue::Kind::kNull, .text = "null"};
    return true;
  }
  return Number(value);
}

}  // namespace

absl::StatusOr<YamlValue> ParseJson(absl::string_view json) {
  Parser parser(json);
  YamlValue value;
  if (parser.Document(value)) return value;
  return absl::InvalidArgumentError(absl::StrCat("\"", absl::CHexEscape(json),
                                                 "\": it is not JSON at byte ", parser.at() + 1,
                                                 "; a string has quotes in them: \"\\\"a\\\"\""));
}

}  // namespace kube::codegen
