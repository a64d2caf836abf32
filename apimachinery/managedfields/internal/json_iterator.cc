#include "apimachinery/managedfields/internal/json_iterator.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/codec/json/json_leaf.h"
#include "apimachinery/codec/json/json_scan.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields::internal {
namespace {

using codec::internal::Scanned;
using codec::internal::SkipSpace;
using unstructured::Value;
using unstructured::ValueType;

constexpr char kHex[] = "0123456789abcdef";

// ---- writing

// Appends the escape of an ASCII character. Go's encoding/json writes \b and \f, json-iterator does
// not.
void AppendEscape(std::string& out, char c) {
  switch (c) {
    case '"':
    case '\\':
      out += '\\';
      out += c;
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += "\\u00";
      out += kHex[(c >> 4) & 15];
      out += kHex[c & 15];
  }
}

bool IsFieldSafe(char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\'; }

bool IsHtmlSafe(char c) {
  return IsFieldSafe(c) && static_cast<unsigned char>(c) < 0x80 && c != '<' && c != '>' && c != '&';
}

void AppendString(std::string& out, absl::string_view text) {
  out += '"';
  while (!text.empty()) {
    const auto unsafe = std::find_if_not(text.begin(), text.end(), IsHtmlSafe);
    const auto safe = static_cast<size_t>(unsafe - text.begin());
    out.append(text.data(), safe);
    text.remove_prefix(safe);
    if (text.empty()) break;
    const kube::text::Rune rune = kube::text::DecodeRune(text);
    if (rune.value < 0x80) {
      AppendEscape(out, text[0]);
    } else if (rune.invalid()) {
      out += "\\ufffd";
    } else if (rune.value == 0x2028 || rune.value == 0x2029) {
      out += "\\u202";
      out += kHex[rune.value & 15];
    } else {
      out.append(text.data(), rune.size);
    }
    text.remove_prefix(rune.size);
  }
  out += '"';
}

std::string FormatDouble(double value) {
  const double magnitude = std::abs(value);
  const bool fixed = magnitude == 0 || (magnitude >= 1e-6 && magnitude < 1e21);
  return fixed ? text::FormatFixed(value) : text::FormatGeneral(value);
}

// ---- reading

// Appends the meaning of a string whose text between the quotes is `raw`. Returns null or an error.
// Only escapes go through the codec's function, because that replaces invalid UTF-8.
const char* AppendUnescaped(absl::string_view raw, std::string& out) {
  while (!raw.empty()) {
    const size_t plain = std::min(raw.find('\\'), raw.size());
    out.append(raw.data(), plain);
    raw.remove_prefix(plain);
    // Nearly all escapes are those of the quotes in path elements.
    while (raw.substr(0, 2) == "\\\"") {
      out += '"';
      raw.remove_prefix(2);
    }
    size_t size = 0;
    while (size < raw.size() && raw[size] == '\\') size += raw.substr(size, 2) == "\\u" ? 6 : 2;
    // All in one call, because two escapes may be the two halves of a character.
    const absl::string_view escapes = raw.substr(0, size);
    if (const char* error = codec::internal::AppendUnescaped(escapes, out)) return error;
    raw.remove_prefix(escapes.size());
  }
  return nullptr;
}

Scanned ReadNumber(const char* p, Value& value) {
  double number = 0;
  const Scanned scanned = codec::internal::ScanDouble(p, number);
  if (scanned.after == nullptr) return scanned;
  // What follows the value of an element is ignored, but numbers such as 01 and 1.2.3 are errors.
  if (absl::StrContains("+-.0123456789Ee", *scanned.after)) return {nullptr, "invalid number"};
  value = number;
  return scanned;
}

Scanned ReadBool(const char* p, Value& value) {
  bool boolean = false;
  const Scanned scanned = codec::internal::ScanBool(p, boolean);
  if (scanned.after != nullptr) value = boolean;
  return scanned;
}

using Members = std::vector<std::pair<String, Value>>;

// Sorts the members first, because adding each to the map at its place would take quadratic time.
Value ObjectOf(Members members) {
  const auto by_name = [](const auto& a, const auto& b) { return a.first < b.first; };
  if (!std::is_sorted(members.begin(), members.end(), by_name)) {
    std::stable_sort(members.begin(), members.end(), by_name);
  }
  Map<Value> object;
  for (auto& [name, member] : members) object[name] = std::move(member);
  return Value(std::move(object));
}

}  // namespace

void AppendFieldText(std::string& out, absl::string_view text) {
  while (!text.empty()) {
    const auto unsafe = std::find_if_not(text.begin(), text.end(), IsFieldSafe);
    const auto safe = static_cast<size_t>(unsafe - text.begin());
    out.append(text.data(), safe);
    if (safe == text.size()) return;
    AppendEscape(out, text[safe]);
    text.remove_prefix(safe + 1);
  }
}

void AppendValue(std::string& out, const Value& value) {
  switch (value.type()) {
    case ValueType::kNull:
      out += "null";
      return;
    case ValueType::kBool:
      out += *value.boolean() ? "true" : "false";
      return;
    case ValueType::kInt:
      absl::StrAppend(&out, *value.integer());
      return;
    case ValueType::kDouble:
      out += FormatDouble(*value.number());
      return;
    case ValueType::kString:
      AppendString(out, *value.text());
      return;
    case ValueType::kList: {
      char before = '[';
      for (const Value& element : *value.list()) {
        out += std::exchange(before, ',');
        AppendValue(out, element);
      }
      out += value.list()->empty() ? "[]" : "]";
      return;
    }
    case ValueType::kObject: {
      char before = '{';
      for (const auto& [name, member] : *value.object()) {
        out += std::exchange(before, ',');
        AppendString(out, name.view());
        out += ':';
        AppendValue(out, member);
      }
      out += value.object()->empty() ? "{}" : "}";
      return;
    }
  }
}

Scanned JsonReader::ReadString(const char* p, absl::string_view& text) {
  if (*p != '"') return {nullptr, "expected a string"};
  const codec::internal::StringEnd string = codec::internal::JsonScan::FindStringEnd(++p);
  if (string.quote >= end_) return {nullptr, "unexpected end of input"};
  if (*string.quote != '"') return {nullptr, "control character in a string"};
  text = absl::string_view(p, static_cast<size_t>(string.quote - p));
  if (string.has_backslash) {
    unescaped_.clear();
    if (const char* error = AppendUnescaped(text, unescaped_)) return {nullptr, error};
    text = unescaped_;
  }
  return {string.quote + 1, nullptr};
}

Scanned JsonReader::ReadValue(const char* p, Value& value) {
  switch (*p) {
    case '"': {
      absl::string_view text;
      const Scanned scanned = ReadString(p, text);
      if (scanned.after != nullptr) value = text;
      return scanned;
    }
    case '[':
      return ReadList(p, value);
    case '{':
      return ReadObject(p, value);
    case 't':
    case 'f':
      return ReadBool(p, value);
    case 'n':
      if (std::memcmp(p, "null", 4) != 0) return {nullptr, "expected null"};
      return {p + 4, nullptr};
    default:
      return ReadNumber(p, value);
  }
}

Scanned JsonReader::ReadList(const char* p, Value& value) {
  if (depth_ == kMaxDepth) return {nullptr, "exceeded max depth"};
  ++depth_;
  List<Value> elements;
  for (p = SkipSpace(p + 1); *p != ']' || !elements.empty(); p = SkipSpace(p + 1)) {
    const Scanned element = ReadValue(p, elements.emplace_back());
    if (element.after == nullptr) return element;
    p = SkipSpace(element.after);
    if (*p == ']') break;
    if (*p != ',') return {nullptr, "expected , or ] after an element"};
  }
  --depth_;
  value = Value(std::move(elements));
  return {p + 1, nullptr};
}

Scanned JsonReader::ReadObject(const char* p, Value& value) {
  if (depth_ == kMaxDepth) return {nullptr, "exceeded max depth"};
  ++depth_;
  Members members;
  members.reserve(2);  // keys of lists have one or two fields
  for (p = SkipSpace(p + 1); *p != '}' || !members.empty(); p = SkipSpace(p + 1)) {
    absl::string_view name;
    Scanned scanned = ReadString(p, name);
    if (scanned.after == nullptr) return scanned;
    members.emplace_back(String(name), Value());
    p = SkipSpace(scanned.after);
    if (*p != ':') return {nullptr, "expected : after a name"};
    scanned = ReadValue(SkipSpace(p + 1), members.back().second);
    if (scanned.after == nullptr) return scanned;
    p = SkipSpace(scanned.after);
    if (*p == '}') break;
    if (*p != ',') return {nullptr, "expected , or } after a member"};
  }
  --depth_;
  value = ObjectOf(std::move(members));
  return {p + 1, nullptr};
}

}  // namespace kube::managedfields::internal
