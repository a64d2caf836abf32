// Functions of strings. Indices count code points.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/text/quantity_text.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/cel/internal/describe.h"
#include "apimachinery/cel/internal/library/extensions.h"
#include "apimachinery/cel/internal/library/string_format.h"
#include "apimachinery/cel/internal/library/text_search.h"

namespace kube::cel::internal {
namespace {

constexpr size_t kNowhere = absl::string_view::npos;

Value OutOfRange(int64_t index) {
  return Value::Error(absl::StrCat("index out of range: ", index));
}

Value TooLarge() { return Value::Error("text is too large"); }

// Returns the byte at a code point that a caller has given; nullopt if there is no such code point.
std::optional<size_t> OffsetOf(absl::string_view text, int64_t index) {
  if (index < 0 || static_cast<uint64_t>(index) > text.size()) return std::nullopt;
  return RuneOffset(text, static_cast<size_t>(index));
}

Value RuneIndex(absl::string_view text, size_t offset) {
  if (offset == kNowhere) return Value::FromInt(-1);
  return Value::FromInt(static_cast<int64_t>(CountRunes(text.substr(0, offset))));
}

Value CharAt(const Call& call) {
  const absl::string_view text = call[0].text();
  const std::optional<size_t> offset = OffsetOf(text, call[1].integer());
  if (!offset.has_value()) return OutOfRange(call[1].integer());
  if (*offset == text.size()) return Value::FromString("");
  return Value::FromPart(call[0], *offset, text::DecodeRune(text.substr(*offset)).size);
}

Value IndexOf(const Call& call) {
  const absl::string_view text = call[0].text();
  const absl::string_view part = call[1].text();
  const int64_t start = call.size() > 2 ? call[2].integer() : 0;
  if (part.empty()) return Value::FromInt(start);
  if (start < 0) return OutOfRange(start);
  const std::optional<size_t> offset = OffsetOf(text, start);
  return RuneIndex(text, offset.has_value() ? FindText(text, part, *offset) : kNowhere);
}

Value LastIndexOf(const Call& call) {
  const absl::string_view text = call[0].text();
  const absl::string_view part = call[1].text();
  if (call.size() == 2) {
    if (part.empty()) return RuneIndex(text, text.size());
    return RuneIndex(text, FindLastText(text, part, kNowhere));
  }
  const int64_t start = call[2].integer();
  if (part.empty()) return Value::FromInt(start);
  if (start < 0) return OutOfRange(start);
  const std::optional<size_t> offset = OffsetOf(text, start);
  if (!offset.has_value() || *offset == text.size()) return Value::FromInt(-1);
  return RuneIndex(text, FindLastText(text, part, *offset));
}

Value LowerAscii(const Call& call) {
  return Value::FromString(absl::AsciiStrToLower(call[0].text()));
}

Value UpperAscii(const Call& call) {
  return Value::FromString(absl::AsciiStrToUpper(call[0].text()));
}

// Replaces at most `count` occurrences; all if it is negative. An empty `old` stands before each
// code point and at the end. (Go: `strings.Replace`)
Value ReplaceText(absl::string_view text, absl::string_view old, absl::string_view replacement,
                  int64_t count, Budget& budget) {
  std::string out;
  size_t done = 0;
  size_t search = 0;
  for (int64_t i = 0; (count < 0 || i < count) && search <= text.size(); ++i) {
    size_t found = search;
    if (!old.empty()) found = FindText(text, old, search);
    if (found == kNowhere) break;
    absl::StrAppend(&out, text.substr(done, found - done), replacement);
    if (out.size() > kMaxTextSize) return TooLarge();
    // Unlike its arguments, the size of the result has no cost.
    if (!budget.Work(replacement.size() + 1)) return TooLarge();
    done = found + old.size();
    search = done;
    if (old.empty()) search += done < text.size() ? text::DecodeRune(text.substr(done)).size : 1;
  }
  absl::StrAppend(&out, text.substr(done));
  return Value::FromString(std::move(out));
}

Value Replace(const Call& call) {
  return ReplaceText(call[0].text(), call[1].text(), call[2].text(),
                     call.size() > 3 ? call[3].integer() : -1, call.budget);
}

// Divides a text into at most `limit` parts; into all if it is negative. (Go: `strings.SplitN`)
Value Split(const Call& call) {
  const absl::string_view text = call[0].text();
  const absl::string_view separator = call[1].text();
  const int64_t limit = call.size() > 2 ? call[2].integer() : -1;
  std::vector<Value> parts;
  if (limit == 0 || (separator.empty() && text.empty())) return Value::FromList(std::move(parts));
  size_t start = 0;
  while ((limit < 0 || parts.size() + 1 < static_cast<uint64_t>(limit)) && call.budget.Work()) {
    size_t end = kNowhere;
    if (!separator.empty()) {
      end = FindText(text, separator, start);
    } else if (start + text::DecodeRune(text.substr(start)).size < text.size()) {
      end = start + text::DecodeRune(text.substr(start)).size;
    }
    if (end == kNowhere) break;
    parts.push_back(Value::FromPart(call[0], start, end - start));
    start = end + separator.size();
  }
  parts.push_back(Value::FromPart(call[0], start, text.size() - start));
  return Value::FromList(std::move(parts));
}

Value Substring(const Call& call) {
  const absl::string_view text = call[0].text();
  const int64_t start = call[1].integer();
  if (call.size() > 2 && start > call[2].integer()) {
    return Value::Error(
        absl::StrCat("invalid substring range. start: ", start, ", end: ", call[2].integer()));
  }
  const std::optional<size_t> from = OffsetOf(text, start);
  if (!from.has_value()) return OutOfRange(start);
  if (call.size() == 2) return Value::FromPart(call[0], *from, text.size() - *from);
  const std::optional<size_t> to = OffsetOf(text, call[2].integer());
  if (!to.has_value()) return OutOfRange(call[2].integer());
  return Value::FromPart(call[0], *from, *to - *from);
}

Value Trim(const Call& call) {
  const absl::string_view text = call[0].text();
  const absl::string_view trimmed = text::TrimGoSpace(text);
  if (trimmed.empty()) return Value::FromString("");
  return Value::FromPart(call[0], static_cast<size_t>(trimmed.data() - text.data()),
                         trimmed.size());
}

Value Format(const Call& call) {
  Value text = FormatText(call[0].text(), call[1]);
  if (text.is_string()) call.budget.Work(text.text().size());
  return text;
}

Value Quote(const Call& call) {
  constexpr std::pair<char, absl::string_view> kEscapes[] = {
      {'\a', "\\a"}, {'\b', "\\b"}, {'\f', "\\f"},  {'\n', "\\n"}, {'\r', "\\r"},
      {'\t', "\\t"}, {'\v', "\\v"}, {'\\', "\\\\"}, {'"', "\\\""},
  };
  std::string out = "\"";
  for (const char c : text::ReplaceInvalidUtf8(call[0].text())) {
    const auto* escape = std::find_if(std::begin(kEscapes), std::end(kEscapes),
                                      [c](const auto& each) { return each.first == c; });
    if (escape == std::end(kEscapes)) {
      out += c;
    } else {
      absl::StrAppend(&out, escape->second);
    }
  }
  return Value::FromString(out + "\"");
}

Value Join(const Call& call) {
  const ListValue& list = call[0].list();
  const absl::string_view separator = call.size() > 1 ? call[1].text() : "";
  std::string out;
  for (size_t i = 0; i < list.size() && call.budget.Work(); ++i) {
    const Value element = list.At(i);
    if (element.is_error()) return element;
    if (!element.is_string()) {
      return Value::Error(absl::StrCat("join: invalid input: ", PlainText(element)));
    }
    absl::StrAppend(&out, i == 0 ? "" : separator, element.text());
    if (out.size() > kMaxTextSize || !call.budget.Work(element.text().size() + separator.size())) {
      return TooLarge();
    }
  }
  return Value::FromString(std::move(out));
}

}  // namespace

void AddStringExtensions(Functions& functions) {
  const TypePtr& text = StringType();
  const TypePtr& number = IntType();
  const TypePtr texts = ListType(text);
  functions.AddMember("charAt", "string_char_at_int", {text, number}, text, CharAt);
  functions.AddMember("indexOf", "string_index_of_string", {text, text}, number, IndexOf);
  functions.AddMember("indexOf", "string_index_of_string_int", {text, text, number}, number,
                      IndexOf);
  functions.AddMember("lastIndexOf", "string_last_index_of_string", {text, text}, number,
                      LastIndexOf);
  functions.AddMember("lastIndexOf", "string_last_index_of_string_int", {text, text, number},
                      number, LastIndexOf);
  functions.AddMember("lowerAscii", "string_lower_ascii", {text}, text, LowerAscii);
  functions.AddMember("replace", "string_replace_string_string", {text, text, text}, text, Replace);
  functions.AddMember("replace", "string_replace_string_string_int", {text, text, text, number},
                      text, Replace);
  functions.AddMember("split", "string_split_string", {text, text}, texts, Split);
  functions.AddMember("split", "string_split_string_int", {text, text, number}, texts, Split);
  functions.AddMember("substring", "string_substring_int", {text, number}, text, Substring);
  functions.AddMember("substring", "string_substring_int_int", {text, number, number}, text,
                      Substring);
  functions.AddMember("trim", "string_trim", {text}, text, Trim);
  functions.AddMember("upperAscii", "string_upper_ascii", {text}, text, UpperAscii);
  functions.AddMember("format", "string_format", {text, ListType(DynType())}, text, Format);
  functions.AddGlobal("strings.quote", "strings_quote", {text}, text, Quote);
  functions.AddMember("join", "list_join", {texts}, text, Join);
  functions.AddMember("join", "list_join_string", {texts, text}, text, Join);
}

}  // namespace kube::cel::internal
