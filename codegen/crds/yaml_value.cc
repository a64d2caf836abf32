#include "codegen/crds/yaml_value.h"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <regex>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace kube::codegen {
namespace {

using Kind = YamlValue::Kind;

// ---- numbers

// strconv.FormatFloat(value, 'g', -1, 64).
std::string FormatFloat(double value) {
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::scientific).ptr;
  const std::string text(buffer, end);
  const int exponent = std::atoi(text.c_str() + text.find('e') + 1);
  if (exponent < -4 || exponent >= 6) return text;
  return std::string(
      buffer, std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::fixed).ptr);
}

// ---- what a plain text means to YAML 1.1

// Long texts are none, and too much for std::regex.
bool IsNumberOrTime(absl::string_view text) {
  static const std::regex& kPattern =
      *std::make_unique<std::regex>(
           "[-+]?(0[xX][0-9a-fA-F_]+|0[oO]?[0-7_]+|0[bB][01_]+|[0-9][0-9_]*)"  // integers
           "|[-+]?(\\.[0-9_]+|[0-9][0-9_]*(\\.[0-9_]*)?)([eE][-+]?[0-9]+)?"    // numbers
           "|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\\.[0-9_]*)?"                    // to base 60
           "|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ]+[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}.*)?"  // times
           )
           .release();
  if (text.empty() || text.size() > 128) return false;
  if (!absl::ascii_isdigit(static_cast<unsigned char>(text[0])) &&
      absl::string_view("-+.").find(text[0]) == absl::string_view::npos) {
    return false;
  }
  return std::regex_match(text.begin(), text.end(), kPattern);
}

bool IsWord(absl::string_view text) {
  static constexpr absl::string_view kWords[] = {
      "",     "~",    "null", "Null", "NULL",  "y",     "Y",     "yes",   "Yes",   "YES",
      "true", "True", "TRUE", "on",   "On",    "ON",    "n",     "N",     "no",    "No",
      "NO",   "off",  "Off",  "OFF",  "<<",    "false", "False", "FALSE", ".nan",  ".NaN",
      ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF"};
  for (const absl::string_view word : kWords) {
    if (text == word) return true;
  }
  return false;
}

// ---- texts

bool IsBlankAt(absl::string_view text, size_t at) {
  return at >= text.size() || text[at] == ' ' || text[at] == '\t';
}

// What cannot stand at the start of a plain text, or in it.
bool HasIndicator(absl::string_view text) {
  if (absl::StartsWith(text, "---") || absl::StartsWith(text, "...")) return true;
  if (absl::string_view("#,[]{}&*!|>'\"%@`").find(text[0]) != absl::string_view::npos) return true;
  if (absl::string_view("?:-").find(text[0]) != absl::string_view::npos && IsBlankAt(text, 1)) {
    return true;
  }
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == ':' && IsBlankAt(text, i + 1)) return true;
    if (text[i] == '#' && (IsBlankAt(text, i - 1) || text[i - 1] == '\n')) return true;
  }
  return false;
}

// The character at `i`, and its size. The text is UTF-8: protoc takes nothing else.
std::pair<uint32_t, size_t> CharacterAt(absl::string_view text, size_t i) {
  const auto byte = [&](size_t at) -> uint32_t {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
  };
  const uint32_t first = byte(i);
  if (first < 0x80) return {first, 1};
  if (first < 0xE0) return {(first & 0x1F) << 6 | (byte(i + 1) & 0x3F), 2};
  if (first < 0xF0) {
    return {(first & 0xF) << 12 | (byte(i + 1) & 0x3F) << 6 | (byte(i + 2) & 0x3F), 3};
  }
  return {(first & 7) << 18 | (byte(i + 1) & 0x3F) << 12 | (byte(i + 2) & 0x3F) << 6 |
              (byte(i + 3) & 0x3F),
          4};
}

// U+2028 and U+2029 are line breaks to YAML; in quotes they are nothing special.
bool IsPrintable(uint32_t c) {
  return c == '\n' || (c >= 0x20 && c <= 0x7E) || (c >= 0xA0 && c < 0x2028) ||
         (c > 0x2029 && c < 0xD800) || (c >= 0xE000 && c < 0xFEFF) || (c > 0xFEFF && c < 0xFFFE);
}

bool IsAllPrintable(absl::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const auto [c, size] = CharacterAt(text, i);
    if (!IsPrintable(c)) return false;
    i += size;
  }
  return true;
}

void AppendEscaped(uint32_t c, std::string& out) {
  static constexpr std::pair<uint32_t, char> kShort[] = {
      {0, '0'},     {7, 'a'},    {8, 'b'},      {'\t', 't'},  {'\n', 'n'},
      {11, 'v'},    {12, 'f'},   {'\r', 'r'},   {0x1B, 'e'},  {'"', '"'},
      {'\\', '\\'}, {0x85, 'N'}, {0x2028, 'L'}, {0x2029, 'P'}};
  for (const auto& [character, letter] : kShort) {
    if (c == character) return absl::StrAppend(&out, "\\", std::string(1, letter));
  }
  const char* kDigits = "0123456789ABCDEF";
  const int count = c <= 0xFF ? 2 : c <= 0xFFFF ? 4 : 8;
  absl::StrAppend(&out, count == 2 ? "\\x" : count == 4 ? "\\u" : "\\U");
  for (int shift = 4 * (count - 1); shift >= 0; shift -= 4) out += kDigits[c >> shift & 0xF];
}

std::string DoubleQuoted(absl::string_view text) {
  std::string out = "\"";
  for (size_t i = 0; i < text.size();) {
    const auto [c, size] = CharacterAt(text, i);
    if (!IsPrintable(c) || c == '"' || c == '\\' || c == '\n') {
      AppendEscaped(c, out);
    } else {
      absl::StrAppend(&out, text.substr(i, size));
    }
    i += size;
  }
  return out + "\"";
}

std::string SingleQuoted(absl::string_view text) {
  return absl::StrCat("'", absl::StrJoin(absl::StrSplit(text, '\''), "''"), "'");
}

bool CanBeLiteral(absl::string_view text) {
  return IsAllPrintable(text) && text.back() != ' ' && !absl::StrContains(text, " \n");
}

// A block of lines, each at `indent`.
std::string Literal(absl::string_view text, int indent) {
  std::string out = "|";
  if (text[0] == ' ' || text[0] == '\n') out += '2';
  absl::string_view lines = text;
  if (text.back() != '\n') {
    out += '-';
  } else if (text == "\n" || absl::EndsWith(text, "\n\n")) {
    out += '+';
    lines.remove_suffix(1);
  } else {
    lines.remove_suffix(1);
  }
  for (const absl::string_view line : absl::StrSplit(lines, '\n')) {
    absl::StrAppend(&out, "\n", line.empty() ? "" : std::string(indent, ' '), line);
  }
  return out;
}

// `indent` is that of the lines of a block.
std::string StringText(absl::string_view text, int indent, bool is_key) {
  if (absl::StrContains(text, '\n')) {
    return is_key || !CanBeLiteral(text) ? DoubleQuoted(text) : Literal(text, indent);
  }
  if (IsWord(text) || IsNumberOrTime(text) || !IsAllPrintable(text)) return DoubleQuoted(text);
  if (text.front() == ' ' || text.back() == ' ' || HasIndicator(text)) return SingleQuoted(text);
  return std::string(text);
}

// ---- documents

class Printer {
 public:
  // Behind "- ", the first line is begun already.
  void Print(const YamlValue& value, int indent, bool begun);

  std::string out;

 private:
  void PrintMember(const std::string& key, const YamlValue& value, int indent);
  void PrintScalar(const YamlValue& value, int indent);
};

void Printer::PrintScalar(const YamlValue& value, int indent) {
  if (value.kind == Kind::kMap) return absl::StrAppend(&out, "{}\n");
  if (value.kind == Kind::kList) return absl::StrAppend(&out, "[]\n");
  absl::StrAppend(
      &out, value.kind == Kind::kString ? StringText(value.text, indent, false) : value.text, "\n");
}

bool IsBlock(const YamlValue& value) { return !value.items.empty() || !value.members.empty(); }

// The items of a list stand below their key, not behind it.
void Printer::PrintMember(const std::string& key, const YamlValue& value, int indent) {
  absl::StrAppend(&out, StringText(key, indent, true), ":");
  if (IsBlock(value)) {
    out += '\n';
    Print(value, value.is_map() ? indent + 2 : indent, false);
  } else {
    out += ' ';
    PrintScalar(value, indent + 2);
  }
}

void Printer::Print(const YamlValue& value, int indent, bool begun) {
  if (!IsBlock(value)) return PrintScalar(value, indent);
  const auto begin = [&] {
    if (!std::exchange(begun, false)) out.append(indent, ' ');
  };
  for (const auto& [key, member] : value.members) {
    begin();
    PrintMember(key, member, indent);
  }
  for (const YamlValue& item : value.items) {
    begin();
    out += "- ";
    Print(item, indent + 2, true);
  }
}

bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }

// Whether the digits before `i`, which both keys have, count: with a zero behind them.
bool IsBehindNumber(absl::string_view key, size_t i) {
  while (i > 0 && IsDigit(key[i - 1])) {
    if (key[--i] != '0') return true;
  }
  return false;
}

// The number that `start` and the digits at `i` are, and where they end.
std::pair<double, size_t> DigitsAt(absl::string_view text, size_t i, double start) {
  double number = start;
  for (; i < text.size() && IsDigit(text[i]); ++i) {
    number = number * 10 + (text[i] - '0');
  }
  return {number, i};
}

bool IsLetter(char c) {
  return absl::ascii_isalpha(static_cast<unsigned char>(c)) ||
         static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

bool YamlKeyLess::operator()(const std::string& a, const std::string& b) const {
  size_t i = 0;
  while (i < a.size() && i < b.size() && a[i] == b[i]) ++i;
  if (i == a.size() || i == b.size()) return a.size() < b.size();
  if (IsLetter(a[i]) && IsLetter(b[i])) {
    return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[i]);
  }
  if (IsLetter(a[i]) || IsLetter(b[i])) return IsLetter(b[i]);
  const double start = (a[i] == '0' || b[i] == '0') && IsBehindNumber(a, i) ? 1 : 0;
  const auto [number_a, end_a] = DigitsAt(a, i, start);
  const auto [number_b, end_b] = DigitsAt(b, i, start);
  if (number_a != number_b) return number_a < number_b;
  if (end_a != end_b) return end_a < end_b;
  return a[i] < b[i];
}

YamlValue YamlValue::String(absl::string_view text) {
  return {.kind = Kind::kString, .text = std::string(text)};
}

YamlValue YamlValue::Integer(int64_t value) {
  return {.kind = Kind::kInteger, .text = absl::StrCat(value)};
}

YamlValue YamlValue::Number(double value) {
  const bool is_integer = std::floor(value) == value && std::abs(value) < 9e18;
  if (is_integer) return Integer(static_cast<int64_t>(value));
  return {.kind = Kind::kNumber, .text = FormatFloat(value)};
}

YamlValue YamlValue::Bool(bool value) {
  return {.kind = Kind::kBool, .text = value ? "true" : "false"};
}

YamlValue YamlValue::List() { return {.kind = Kind::kList}; }

const YamlValue* YamlValue::Find(const std::string& key) const {
  const auto found = members.find(key);
  return found == members.end() ? nullptr : &found->second;
}

YamlValue& YamlValue::Add(YamlValue value) { return items.emplace_back(std::move(value)); }

std::string PrintYaml(const YamlValue& value) {
  Printer printer;
  printer.Print(value, 0, false);
  return std::move(printer.out);
}

}  // namespace kube::codegen
