#include "apimachinery/codec/yaml/yaml_json_reader.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/codec/yaml/yaml_text.h"

namespace kube::codec::internal {
namespace {

using Kind = JsonValue::Kind;

class Reader {
 public:
  explicit Reader(absl::string_view json) : json_(json) {}

  absl::StatusOr<JsonValue> Read() {
    JsonValue root;
    KUBE_RETURN_IF_ERROR(ReadValue(root, 0));
    SkipSpace();
    if (at_ < json_.size()) return Error("unexpected data after the value");
    return root;
  }

 private:
  absl::Status Error(absl::string_view cause) const {
    return absl::InvalidArgumentError(absl::StrCat("offset ", at_, ": ", cause));
  }

  char Peek() const { return at_ < json_.size() ? json_[at_] : '\0'; }

  bool Consume(char c) {
    if (Peek() != c || at_ >= json_.size()) return false;
    ++at_;
    return true;
  }

  bool ConsumeWord(absl::string_view word) {
    if (!absl::StartsWith(json_.substr(at_), word)) return false;
    at_ += word.size();
    return true;
  }

  void SkipSpace() {
    while (at_ < json_.size() && absl::StrContains(" \t\r\n", json_[at_])) ++at_;
  }

  absl::Status ReadValue(JsonValue& node, int depth);
  absl::Status ReadArray(JsonValue& node, int depth);
  absl::Status ReadObject(JsonValue& node, int depth);
  absl::Status ReadNumber(std::string& text);
  absl::Status ReadString(std::string& text);
  absl::Status ReadEscape(std::string& text);
  absl::StatusOr<uint32_t> ReadHex();

  bool SkipDigits() {
    const size_t start = at_;
    while (absl::ascii_isdigit(static_cast<unsigned char>(Peek()))) ++at_;
    return at_ > start;
  }

  const absl::string_view json_;
  size_t at_ = 0;
};

absl::Status Reader::ReadValue(JsonValue& node, int depth) {
  SkipSpace();
  switch (Peek()) {
    case '{':
      return ReadObject(node, depth + 1);
    case '[':
      return ReadArray(node, depth + 1);
    case '"':
      node.kind = Kind::kString;
      return ReadString(node.text);
  }
  if (ConsumeWord("null")) return absl::OkStatus();
  if (ConsumeWord("true")) {
    node.kind = Kind::kTrue;
    return absl::OkStatus();
  }
  if (ConsumeWord("false")) {
    node.kind = Kind::kFalse;
    return absl::OkStatus();
  }
  node.kind = Kind::kNumber;
  return ReadNumber(node.text);
}

absl::Status Reader::ReadArray(JsonValue& node, int depth) {
  if (depth > kMaxYamlDepth) return Error("nested too deep");
  node.kind = Kind::kArray;
  Consume('[');
  SkipSpace();
  if (Consume(']')) return absl::OkStatus();
  while (true) {
    KUBE_RETURN_IF_ERROR(ReadValue(node.children.emplace_back(), depth));
    SkipSpace();
    if (Consume(']')) return absl::OkStatus();
    if (!Consume(',')) return Error("expected ',' or ']'");
  }
}

absl::Status Reader::ReadObject(JsonValue& node, int depth) {
  if (depth > kMaxYamlDepth) return Error("nested too deep");
  node.kind = Kind::kObject;
  Consume('{');
  SkipSpace();
  if (Consume('}')) return absl::OkStatus();
  while (true) {
    SkipSpace();
    if (Peek() != '"') return Error("expected a key");
    JsonValue& member = node.children.emplace_back();
    KUBE_RETURN_IF_ERROR(ReadString(member.key));
    SkipSpace();
    if (!Consume(':')) return Error("expected ':'");
    KUBE_RETURN_IF_ERROR(ReadValue(member, depth));
    SkipSpace();
    if (Consume('}')) return absl::OkStatus();
    if (!Consume(',')) return Error("expected ',' or '}'");
  }
}

absl::Status Reader::ReadNumber(std::string& text) {
  const size_t start = at_;
  Consume('-');
  if (!Consume('0') && !SkipDigits()) return Error("expected a value");
  if (Consume('.') && !SkipDigits()) return Error("expected a digit");
  if (Consume('e') || Consume('E')) {
    if (!Consume('-')) Consume('+');
    if (!SkipDigits()) return Error("expected a digit");
  }
  text = std::string(json_.substr(start, at_ - start));
  return absl::OkStatus();
}

absl::Status Reader::ReadString(std::string& text) {
  ++at_;
  while (true) {
    const size_t start = at_;
    while (at_ < json_.size() && json_[at_] != '"' && json_[at_] != '\\' &&
           static_cast<unsigned char>(json_[at_]) >= 0x20) {
      ++at_;
    }
    text.append(json_.data() + start, at_ - start);
    if (at_ == json_.size()) return Error("unterminated string");
    if (Consume('"')) return absl::OkStatus();
    if (!Consume('\\')) return Error("control character in a string");
    KUBE_RETURN_IF_ERROR(ReadEscape(text));
  }
}

absl::Status Reader::ReadEscape(std::string& text) {
  static constexpr absl::string_view kEscapes = "\"\\/bfnrt";
  static constexpr absl::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const size_t found = kEscapes.find(Peek());
  if (found != absl::string_view::npos && at_ < json_.size()) {
    text.push_back(kMeanings[found]);
    ++at_;
    return absl::OkStatus();
  }
  if (!Consume('u')) return Error("unknown escape");
  KUBE_ASSIGN_OR_RETURN(uint32_t rune, ReadHex());
  if (rune >= 0xD800 && rune < 0xDC00 && ConsumeWord("\\u")) {
    KUBE_ASSIGN_OR_RETURN(const uint32_t low, ReadHex());
    if (low < 0xDC00 || low > 0xDFFF) return Error("unpaired surrogate");
    rune = 0x10000 + ((rune - 0xD800) << 10) + (low - 0xDC00);
  }
  if (rune >= 0xD800 && rune <= 0xDFFF) return Error("unpaired surrogate");
  text::AppendRune(text, rune);
  return absl::OkStatus();
}

absl::StatusOr<uint32_t> Reader::ReadHex() {
  uint32_t value = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const auto digit = static_cast<unsigned char>(Peek());
    if (!absl::ascii_isxdigit(digit)) return Error("expected a hexadecimal digit");
    const int nibble =
        digit > '9' ? absl::ascii_tolower(digit) - 'a' + 10 : static_cast<int>(digit - '0');
    value = value * 16 + static_cast<uint32_t>(nibble);
  }
  return value;
}

}  // namespace

absl::StatusOr<JsonValue> ReadJson(absl::string_view json) {
  const size_t invalid = text::ValidUtf8Prefix(json);
  if (invalid < json.size()) {
    return absl::InvalidArgumentError(absl::StrCat("offset ", invalid, ": text is not UTF-8"));
  }
  return Reader(json).Read();
}

}  // namespace kube::codec::internal
