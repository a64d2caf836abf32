#include "apimachinery/codec/yaml/yaml_emitter.h"

// A port of the part of go-yaml v2's emitterc.go that block style needs. Layout is decided when a
// node is written, from four pieces of state: the indentation of the current collection and a stack
// of those around it, the column, whether the last character was a space, and whether the line has
// only indentation so far. "- ", "? " and ": " count as indentation, so that a nested collection
// can begin on the same line. WriteIndent ends the line unless it is still empty up to the
// indentation.
//
// Analyze finds the styles in which a string can be written. The style is then plain if it reads as
// the same string, a literal block if it has a line feed, and double quotes otherwise. If a plain
// string is not possible, single quotes are used; if these or a block are not, double quotes.

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/codec/yaml/yaml_resolve.h"

namespace kube::codec::internal {
namespace {

constexpr int kIndent = 2;
constexpr int kBestWidth = 80;
// Longer keys are written after a question mark, with the value on a line of its own.
constexpr size_t kLongestSimpleKey = 128;

unsigned char ByteAt(absl::string_view text, size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

size_t WidthAt(absl::string_view text, size_t at) {
  const unsigned char first = ByteAt(text, at);
  if (first < 0x80) return 1;
  return first < 0xE0 ? 2 : (first < 0xF0 ? 3 : 4);
}

bool IsSpace(absl::string_view text, size_t at) { return ByteAt(text, at) == ' '; }

bool IsBlank(absl::string_view text, size_t at) {
  return ByteAt(text, at) == ' ' || ByteAt(text, at) == '\t';
}

// Returns whether a line break is at `at`: CR, LF, NEL, LS or PS.
bool IsBreak(absl::string_view text, size_t at) {
  switch (ByteAt(text, at)) {
    case '\r':
    case '\n':
      return true;
    case 0xC2:
      return ByteAt(text, at + 1) == 0x85;
    case 0xE2:
      return ByteAt(text, at + 1) == 0x80 && (ByteAt(text, at + 2) & 0xFE) == 0xA8;
    default:
      return false;
  }
}

// Returns whether a character is printable for go-yaml, for which a tab and everything beyond
// U+FFFF is not.
bool IsPrintable(absl::string_view text, size_t at) {
  const unsigned char first = ByteAt(text, at);
  const unsigned char second = ByteAt(text, at + 1);
  const unsigned char third = ByteAt(text, at + 2);
  if (first < 0x80) return first == '\n' || (first >= 0x20 && first <= 0x7E);
  if (first == 0xC2) return second >= 0xA0;
  if (first == 0xED) return second < 0xA0;
  if (first == 0xEF) {
    return !(second == 0xBB && third == 0xBF) && !(second == 0xBF && (third & 0xFE) == 0xBE);
  }
  return first > 0xC2 && first < 0xEF;
}

// The properties of a string that decide in which styles it can be written.
struct Analysis {
  bool multiline = false;
  bool plain = true;
  bool single_quoted = true;
  bool literal = true;
};

// Returns whether the character at `at` would be read as markup.
bool IsIndicator(absl::string_view text, size_t at, bool after_blank, bool before_blank) {
  const char c = text[at];
  if (at == 0) {
    if (absl::StrContains("#,[]{}&*!|>'\"%@`", c)) return true;
    return (c == '?' || c == ':' || c == '-') && before_blank;
  }
  return (c == ':' && before_blank) || (c == '#' && after_blank);
}

Analysis Analyze(absl::string_view text) {
  if (text.empty()) return {.literal = false};
  bool indicators = absl::StartsWith(text, "---") || absl::StartsWith(text, "...");
  bool special = false;
  bool line_breaks = false;
  bool break_space = false;
  bool space_break = false;
  bool after_space = false;
  bool after_break = false;
  bool after_blank = true;
  size_t last = 0;
  for (size_t at = 0; at < text.size(); at += WidthAt(text, at)) {
    last = at;
    const size_t next = at + WidthAt(text, at);
    const bool is_space = IsSpace(text, at);
    const bool is_break = IsBreak(text, at);
    if (IsIndicator(text, at, after_blank, next >= text.size() || IsBlank(text, next))) {
      indicators = true;
    }
    if (!IsPrintable(text, at)) special = true;
    if (is_break) line_breaks = true;
    if (is_space && after_break) break_space = true;
    if (is_break && after_space) space_break = true;
    after_space = is_space;
    after_break = is_break;
    after_blank = IsBlank(text, at) || is_break || text[at] == '\0';
  }
  const bool blank_ends =
      IsSpace(text, 0) || IsBreak(text, 0) || IsSpace(text, last) || IsBreak(text, last);
  Analysis result;
  result.multiline = line_breaks;
  result.plain =
      !(blank_ends || break_space || space_break || special || line_breaks || indicators);
  result.single_quoted = !(break_space || space_break || special);
  result.literal = !(IsSpace(text, last) || space_break || special);
  return result;
}

}  // namespace

// ---- Structure

void YamlEmitter::BeginMap() { IncreaseIndent(false, false); }

void YamlEmitter::BeginList() { IncreaseIndent(false, in_map_ && !in_indent_); }

void YamlEmitter::BeginItem() {
  WriteIndent();
  WriteIndicator("-", true, false, true);
  in_map_ = false;
}

void YamlEmitter::EmptyMap() {
  WriteIndicator("{", true, true, false);
  WriteIndicator("}", false, false, false);
}

void YamlEmitter::EmptyList() {
  WriteIndicator("[", true, true, false);
  WriteIndicator("]", false, false, false);
}

void YamlEmitter::Key(absl::string_view key) {
  WriteIndent();
  if (key.size() <= kLongestSimpleKey && !Analyze(key).multiline) {
    WriteString(key, true);
    WriteIndicator(":", false, false, false);
  } else {
    WriteIndicator("?", true, false, true);
    WriteString(key, false);
    WriteIndent();
    WriteIndicator(":", true, false, true);
  }
  in_map_ = true;
}

void YamlEmitter::String(absl::string_view text) { WriteString(text, false); }

void YamlEmitter::Plain(absl::string_view text) { WriteScalar(text, Style::kPlain, false); }

std::string YamlEmitter::Finish() && {
  WriteIndent();
  return std::move(out_);
}

// ---- Scalars

void YamlEmitter::WriteString(absl::string_view text, bool simple_key) {
  Style style = ReadsAsString(text) ? Style::kPlain : Style::kDoubleQuoted;
  if (absl::StrContains(text, '\n')) style = Style::kLiteral;
  WriteScalar(text, style, simple_key);
}

void YamlEmitter::WriteScalar(absl::string_view text, Style style, bool simple_key) {
  const Analysis analysis = Analyze(text);
  if (simple_key && analysis.multiline) style = Style::kDoubleQuoted;
  if (style == Style::kPlain && !analysis.plain) style = Style::kSingleQuoted;
  if (style == Style::kSingleQuoted && !analysis.single_quoted) style = Style::kDoubleQuoted;
  if (style == Style::kLiteral && (!analysis.literal || simple_key)) style = Style::kDoubleQuoted;
  IncreaseIndent(true, false);
  switch (style) {
    case Style::kPlain:
      WritePlain(text, !simple_key);
      break;
    case Style::kSingleQuoted:
      WriteSingleQuoted(text, !simple_key);
      break;
    case Style::kDoubleQuoted:
      WriteDoubleQuoted(text, !simple_key);
      break;
    case Style::kLiteral:
      WriteLiteral(text);
      break;
  }
  RestoreIndent();
}

void YamlEmitter::WritePlain(absl::string_view text, bool may_fold) {
  if (!after_space_) Put(' ');
  bool spaces = false;
  for (size_t at = 0; at < text.size();) {
    const bool is_space = IsSpace(text, at);
    if (is_space && may_fold && !spaces && IsLineFull() && !IsSpace(text, at + 1)) {
      WriteIndent();
      ++at;
    } else {
      WriteChar(text, at);
    }
    spaces = is_space;
  }
  after_space_ = false;
  in_indent_ = false;
}

void YamlEmitter::WriteSingleQuoted(absl::string_view text, bool may_fold) {
  WriteIndicator("'", true, false, false);
  bool spaces = false;
  bool breaks = false;
  for (size_t at = 0; at < text.size();) {
    if (IsSpace(text, at)) {
      if (may_fold && !spaces && IsLineFull() && at > 0 && at + 1 < text.size() &&
          !IsSpace(text, at + 1)) {
        WriteIndent();
        ++at;
      } else {
        WriteChar(text, at);
      }
      spaces = true;
    } else if (IsBreak(text, at)) {
      // This is LS or PS; a text with LF would have become a literal block.
      WriteLineBreak(text, at);
      in_indent_ = true;
      breaks = true;
    } else {
      if (breaks) WriteIndent();
      if (text[at] == '\'') Put('\'');
      WriteChar(text, at);
      in_indent_ = false;
      spaces = false;
      breaks = false;
    }
  }
  WriteIndicator("'", false, false, false);
}

void YamlEmitter::WriteDoubleQuoted(absl::string_view text, bool may_fold) {
  // go-yaml tests for a byte order mark at the start of the text instead of at the character, so a
  // text that begins with one is escaped completely.
  const bool escape_all = absl::StartsWith(text, "\xEF\xBB\xBF");
  WriteIndicator("\"", true, false, false);
  bool spaces = false;
  for (size_t at = 0; at < text.size();) {
    const bool is_space = IsSpace(text, at);
    if (escape_all || !IsPrintable(text, at) || IsBreak(text, at) || text[at] == '"' ||
        text[at] == '\\') {
      WriteEscaped(text, at);
      spaces = false;
      continue;
    }
    if (is_space && may_fold && !spaces && IsLineFull() && at > 0 && at + 1 < text.size()) {
      WriteIndent();
      if (IsSpace(text, at + 1)) Put('\\');
      ++at;
    } else {
      WriteChar(text, at);
    }
    spaces = is_space;
  }
  WriteIndicator("\"", false, false, false);
}

void YamlEmitter::WriteEscaped(absl::string_view text, size_t& at) {
  static constexpr std::pair<char32_t, char> kShort[] = {
      {0x00, '0'},  {0x07, 'a'}, {0x08, 'b'}, {'\t', 't'},   {'\n', 'n'},
      {0x0B, 'v'},  {0x0C, 'f'}, {'\r', 'r'}, {0x1B, 'e'},   {'"', '"'},
      {'\\', '\\'}, {0x85, 'N'}, {0xA0, '_'}, {0x2028, 'L'}, {0x2029, 'P'},
  };
  const text::Rune rune = text::DecodeRune(text.substr(at));
  at += rune.size;
  const auto* const found =
      std::find_if(std::begin(kShort), std::end(kShort),
                   [&](const auto& escape) { return escape.first == rune.value; });
  std::string escape;
  if (found != std::end(kShort)) {
    escape = {'\\', found->second};
  } else if (rune.value <= 0xFF) {
    escape = absl::StrFormat("\\x%02X", static_cast<uint32_t>(rune.value));
  } else if (rune.value <= 0xFFFF) {
    escape = absl::StrFormat("\\u%04X", static_cast<uint32_t>(rune.value));
  } else {
    escape = absl::StrFormat("\\U%08X", static_cast<uint32_t>(rune.value));
  }
  out_ += escape;
  column_ += static_cast<int>(escape.size());
}

void YamlEmitter::WriteLiteral(absl::string_view text) {
  WriteIndicator("|", true, false, false);
  if (IsSpace(text, 0) || IsBreak(text, 0)) WriteIndicator("2", false, false, false);
  // A literal contains a line break, and Analyze refuses text that ends in a part of a character.
  const auto before = [&](size_t at) {
    while (at > 0 && (ByteAt(text, --at) & 0xC0) == 0x80) continue;
    return at;
  };
  const size_t last = before(text.size());
  if (!IsBreak(text, last)) {
    WriteIndicator("-", false, false, false);
  } else if (last == 0 || IsBreak(text, before(last))) {
    WriteIndicator("+", false, false, false);
  }
  PutLineBreak();
  in_indent_ = true;
  after_space_ = true;
  bool breaks = true;
  for (size_t at = 0; at < text.size();) {
    const bool is_break = IsBreak(text, at);
    if (is_break) {
      WriteLineBreak(text, at);
    } else {
      if (breaks) WriteIndent();
      WriteChar(text, at);
    }
    in_indent_ = is_break;
    breaks = is_break;
  }
}

// ---- Lines

bool YamlEmitter::IsLineFull() const { return fold_lines_ && column_ > kBestWidth; }

void YamlEmitter::IncreaseIndent(bool flow, bool indentless) {
  enclosing_indents_.push_back(indent_);
  if (indent_ < 0) {
    indent_ = flow ? kIndent : 0;
  } else if (!indentless) {
    indent_ += kIndent;
  }
}

void YamlEmitter::RestoreIndent() {
  indent_ = enclosing_indents_.back();
  enclosing_indents_.pop_back();
}

void YamlEmitter::WriteIndent() {
  const int indent = std::max(indent_, 0);
  if (!in_indent_ || column_ > indent || (column_ == indent && !after_space_)) PutLineBreak();
  while (column_ < indent) Put(' ');
  after_space_ = true;
  in_indent_ = true;
}

void YamlEmitter::WriteIndicator(absl::string_view indicator, bool needs_space, bool is_space,
                                 bool is_indent) {
  if (needs_space && !after_space_) Put(' ');
  for (const char c : indicator) Put(c);
  after_space_ = is_space;
  in_indent_ = in_indent_ && is_indent;
}

void YamlEmitter::WriteLineBreak(absl::string_view text, size_t& at) {
  if (text[at] == '\n') {
    ++at;
    PutLineBreak();
    return;
  }
  WriteChar(text, at);
  column_ = 0;
}

void YamlEmitter::WriteChar(absl::string_view text, size_t& at) {
  const size_t width = WidthAt(text, at);
  out_.append(text.data() + at, width);
  at += width;
  ++column_;
}

}  // namespace kube::codec::internal
