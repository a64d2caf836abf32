#include "apimachinery/codec/yaml/yaml_scan.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/text/utf8.h"

namespace kube::codec::internal {
namespace {

// A place in the text. Like libyaml's buffer it ends in NUL, which prepared text does not hold.
class Cursor {
 public:
  Cursor(absl::string_view text, size_t at, int column)
      : text_(text), at_(at), line_start_(at - static_cast<size_t>(column)) {}

  size_t at() const { return at_; }
  int column() const { return static_cast<int>(at_ - line_start_); }
  char Peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool IsEnd() const { return at_ >= text_.size(); }
  bool IsBlank(size_t ahead = 0) const { return Peek(ahead) == ' ' || Peek(ahead) == '\t'; }
  // LF, or the LS and PS of Unicode. The others are LF by now.
  bool IsBreak(size_t ahead = 0) const {
    return Peek(ahead) == '\n' || (Peek(ahead) == '\xE2' && Peek(ahead + 1) == '\x80' &&
                                   (Peek(ahead + 2) == '\xA8' || Peek(ahead + 2) == '\xA9'));
  }
  bool IsBlankOrBreakOrEnd(size_t ahead = 0) const {
    return IsBlank(ahead) || IsBreak(ahead) || at_ + ahead >= text_.size();
  }
  bool IsDocumentIndicator() const {
    const absl::string_view word = text_.substr(std::min(at_, text_.size()), 3);
    return column() == 0 && (word == "---" || word == "...") && IsBlankOrBreakOrEnd(3);
  }

  void Skip(size_t count = 1) { at_ += count; }
  void Copy(std::string& out) { out.push_back(text_[at_++]); }

  // A line break, which is there.
  void CopyBreak(std::string& out) {
    const size_t size = Peek() == '\n' ? 1 : 3;
    out.append(text_.data() + at_, size);
    at_ += size;
    line_start_ = at_;
  }
  void SkipToBreak() {
    while (!IsBreak() && !IsEnd()) Skip();
  }

 private:
  const absl::string_view text_;
  size_t at_;
  size_t line_start_;
};

// The white space within a scalar that is folded.
struct Space {
  std::string blanks;
  std::string first_break;
  std::string more_breaks;
  bool has_break = false;

  void AppendTo(std::string& out) {
    if (!has_break) {
      out += blanks;
    } else if (first_break != "\n") {
      out += first_break;
      out += more_breaks;
    } else if (more_breaks.empty()) {
      out.push_back(' ');
    } else {
      out += more_breaks;
    }
    *this = {};
  }

  void TakeBlank(Cursor& cursor) {
    if (has_break) {
      cursor.Skip();
    } else {
      cursor.Copy(blanks);
    }
  }

  void TakeBreak(Cursor& cursor) {
    cursor.CopyBreak(has_break ? more_breaks : first_break);
    has_break = true;
  }
};

const char* ScanHexEscape(Cursor& cursor, int digits, std::string& out) {
  uint32_t rune = 0;
  for (int i = 0; i < digits; ++i, cursor.Skip()) {
    const auto digit = static_cast<unsigned char>(cursor.Peek());
    if (!absl::ascii_isxdigit(digit)) return "did not find expected hexadecimal number";
    rune = rune * 16 +
           static_cast<uint32_t>(digit > '9' ? absl::ascii_tolower(digit) - 'a' + 10 : digit - '0');
  }
  if ((rune >= 0xD800 && rune <= 0xDFFF) || rune > 0x10FFFF) {
    return "found invalid Unicode character escape code";
  }
  text::AppendRune(out, rune);
  return nullptr;
}

// Behind the backslash.
const char* ScanEscape(Cursor& cursor, std::string& out) {
  static constexpr absl::string_view kEscapes = "abt\tnvfre \"'\\";
  static constexpr absl::string_view kMeanings = "\a\b\t\t\n\v\f\r\x1B \"'\\";
  const char c = cursor.Peek();
  cursor.Skip();
  if (const size_t found = kEscapes.find(c); found != absl::string_view::npos) {
    out.push_back(kMeanings[found]);
    return nullptr;
  }
  switch (c) {
    case '0':
      out.push_back('\0');
      return nullptr;
    case '/':
      out.push_back('/');
      return nullptr;
    case 'N':
      text::AppendRune(out, 0x85);
      return nullptr;
    case '_':
      text::AppendRune(out, 0xA0);
      return nullptr;
    case 'L':
      text::AppendRune(out, 0x2028);
      return nullptr;
    case 'P':
      text::AppendRune(out, 0x2029);
      return nullptr;
    case 'x':
      return ScanHexEscape(cursor, 2, out);
    case 'u':
      return ScanHexEscape(cursor, 4, out);
    case 'U':
      return ScanHexEscape(cursor, 8, out);
    default:
      return "found unknown escape character";
  }
}

// What follows '|' or '>' on its line.
struct BlockHeader {
  char chomping = ' ';
  int increment = 0;
  const char* problem = nullptr;
};

BlockHeader ScanBlockHeader(Cursor& cursor) {
  BlockHeader header;
  // The two come in either order, each at most once.
  for (int i = 0; i < 2; ++i) {
    const char c = cursor.Peek();
    if ((c == '+' || c == '-') && header.chomping == ' ') {
      header.chomping = c;
      cursor.Skip();
    } else if (absl::ascii_isdigit(static_cast<unsigned char>(c)) && header.increment == 0) {
      if (c == '0') return {.problem = "found an indentation indicator equal to 0"};
      header.increment = c - '0';
      cursor.Skip();
    }
  }
  while (cursor.IsBlank()) cursor.Skip();
  if (cursor.Peek() == '#') cursor.SkipToBreak();
  if (!cursor.IsBreak() && !cursor.IsEnd()) {
    return {.problem = "did not find expected comment or line break"};
  }
  std::string ignored;
  if (cursor.IsBreak()) cursor.CopyBreak(ignored);
  return header;
}

// Takes indentation and empty lines. An `indent` of zero is found out on the way.
const char* ScanBlockBreaks(Cursor& cursor, int parent_indent, int& indent, std::string& breaks) {
  int max_indent = 0;
  while (true) {
    while ((indent == 0 || cursor.column() < indent) && cursor.Peek() == ' ') cursor.Skip();
    max_indent = std::max(max_indent, cursor.column());
    if ((indent == 0 || cursor.column() < indent) && cursor.Peek() == '\t') {
      return "found a tab character where an indentation space is expected";
    }
    if (!cursor.IsBreak()) break;
    cursor.CopyBreak(breaks);
  }
  if (indent == 0) indent = std::max({max_indent, parent_indent + 1, 1});
  return nullptr;
}

}  // namespace

ScannedScalar ScanQuoted(absl::string_view text, size_t at, int column) {
  ScannedScalar scalar;
  Cursor cursor(text, at, column);
  const char quote = cursor.Peek();
  cursor.Skip();
  Space space;
  while (true) {
    if (cursor.IsDocumentIndicator()) {
      scalar.problem = "found unexpected document indicator";
      return scalar;
    }
    if (cursor.IsEnd()) {
      scalar.problem = "found unexpected end of stream";
      return scalar;
    }
    while (!cursor.IsBlankOrBreakOrEnd()) {
      if (quote == '\'' && cursor.Peek() == '\'' && cursor.Peek(1) == '\'') {
        scalar.value.push_back('\'');
        cursor.Skip(2);
      } else if (cursor.Peek() == quote) {
        cursor.Skip();
        scalar.end = cursor.at();
        return scalar;
      } else if (quote == '"' && cursor.Peek() == '\\') {
        cursor.Skip();
        if (cursor.IsBreak()) {
          std::string ignored;
          cursor.CopyBreak(ignored);
          // It counts as a break that leaves nothing behind; those that follow are kept.
          space.has_break = true;
          break;
        }
        scalar.problem = ScanEscape(cursor, scalar.value);
        if (scalar.problem != nullptr) return scalar;
      } else {
        cursor.Copy(scalar.value);
      }
    }
    // White space before the closing quote counts as well.
    while (cursor.IsBlank() || cursor.IsBreak()) {
      if (cursor.IsBlank()) {
        space.TakeBlank(cursor);
      } else {
        space.TakeBreak(cursor);
      }
    }
    space.AppendTo(scalar.value);
  }
}

ScannedScalar ScanBlock(absl::string_view text, size_t at, int column, int parent_indent) {
  ScannedScalar scalar;
  Cursor cursor(text, at, column);
  const bool literal = cursor.Peek() == '|';
  cursor.Skip();
  const BlockHeader header = ScanBlockHeader(cursor);
  scalar.problem = header.problem;
  if (scalar.problem != nullptr) return scalar;
  int indent = header.increment == 0 ? 0 : header.increment + std::max(parent_indent, 0);
  std::string line_break;
  std::string more_breaks;
  bool after_blank = false;
  scalar.problem = ScanBlockBreaks(cursor, parent_indent, indent, more_breaks);
  while (scalar.problem == nullptr && cursor.column() == indent && !cursor.IsEnd()) {
    const bool starts_blank = cursor.IsBlank();
    if (!literal && !after_blank && !starts_blank && line_break == "\n") {
      if (more_breaks.empty()) scalar.value.push_back(' ');
    } else {
      scalar.value += line_break;
    }
    line_break.clear();
    scalar.value += more_breaks;
    more_breaks.clear();
    after_blank = starts_blank;
    const size_t start = cursor.at();
    cursor.SkipToBreak();
    scalar.value.append(text.data() + start, cursor.at() - start);
    if (cursor.IsBreak()) cursor.CopyBreak(line_break);
    scalar.problem = ScanBlockBreaks(cursor, parent_indent, indent, more_breaks);
  }
  if (header.chomping != '-') scalar.value += line_break;
  if (header.chomping == '+') scalar.value += more_breaks;
  scalar.end = cursor.at();
  return scalar;
}

ScannedScalar ScanPlain(absl::string_view text, size_t at, int column, int parent_indent,
                        bool in_flow) {
  ScannedScalar scalar;
  Cursor cursor(text, at, column);
  if (in_flow && (cursor.Peek() == ':' || cursor.Peek() == '?')) {
    scalar.problem = "in a list or map in brackets, no text begins with ':' or '?'";
    return scalar;
  }
  Space space;
  scalar.end = at;
  while (!cursor.IsDocumentIndicator() && cursor.Peek() != '#') {
    while (!cursor.IsBlankOrBreakOrEnd()) {
      if (cursor.Peek() == ':' && cursor.IsBlankOrBreakOrEnd(1)) break;
      if (in_flow && absl::StrContains(",?[]{}", cursor.Peek())) break;
      space.AppendTo(scalar.value);
      cursor.Copy(scalar.value);
      scalar.end = cursor.at();
    }
    if (!cursor.IsBlank() && !cursor.IsBreak()) break;
    while (cursor.IsBlank() || cursor.IsBreak()) {
      if (cursor.IsBreak()) {
        space.TakeBreak(cursor);
        continue;
      }
      if (space.has_break && cursor.column() <= parent_indent && cursor.Peek() == '\t') {
        scalar.problem = "found a tab character that violates indentation";
        return scalar;
      }
      space.TakeBlank(cursor);
    }
    if (!in_flow && cursor.column() <= parent_indent) break;
  }
  return scalar;
}

const char* CheckDirectives(absl::string_view text) {
  size_t at = SkipSpace(text, 0);
  if (at == text.size() || text[at] != '%') return nullptr;
  while (at < text.size() && text[at] == '%' && ColumnAt(text, 0, 0, at) == 0) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const absl::string_view line = text.substr(at, end - at);
    const std::vector<absl::string_view> words =
        absl::StrSplit(line, absl::ByAnyChar(" \t"), absl::SkipEmpty());
    if (words[0] != "%YAML") return "a directive other than %YAML";
    if (words.size() < 2 || words[1] != "1.1") return "found incompatible YAML document";
    at = SkipSpace(text, end);
  }
  const bool has_start = ColumnAt(text, 0, 0, at) == 0 && IsMarker(text, at, "---");
  return has_start ? nullptr : "did not find expected document start";
}

bool IsMarker(absl::string_view text, size_t at, absl::string_view marker) {
  const size_t end = at + marker.size();
  return absl::StartsWith(text.substr(at), marker) &&
         (end == text.size() || absl::StrContains(" \t\n", text[end]));
}

const char* CheckWord(absl::string_view text, size_t at) {
  static constexpr absl::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const size_t end = SkipWord(text, at);
  const absl::string_view word = text.substr(at + 1, end - at - 1);
  if (text[at] != '!') {
    const bool is_name = word.find_first_not_of(kLetters) == absl::string_view::npos;
    return is_name ? nullptr : "did not find expected alphabetic or numeric character";
  }
  if (!absl::StartsWith(word, "<")) {
    for (const char c : absl::StripPrefix(word, "!")) {
      if (c == '!') return "a tag with a handle other than ! and !!";
      if (!absl::StrContains(kLetters, c) && !absl::StrContains(";/?:@&=+$.~*'()%", c)) {
        return "did not find expected whitespace or line break";
      }
    }
  }
  const bool is_apart = end == text.size() || absl::StrContains(" \t\n", text[end]);
  return is_apart ? nullptr : "a tag that is followed by a bracket or a comma";
}

const char* FindMisplacedTab(absl::string_view text, size_t from, size_t to) {
  if (text.substr(from, to - from).find('\t') == absl::string_view::npos) return nullptr;
  // Whether a key may begin here (simple_key_allowed), which then counts columns.
  bool may_begin = from == 0 || text[from - 1] == '\n';
  for (size_t at = from; at < to; ++at) {
    switch (text[at]) {
      case '\t':
        if (may_begin) return "found a tab character where an indentation space is expected";
        break;
      case '\n':
      case '?':
        may_begin = true;
        break;
      case '-':
        may_begin = !absl::StartsWith(text.substr(at), "---");
        if (!may_begin) at += 2;
        break;
      case '#':
      case '%':
        at = std::min(text.find('\n', at), to) - 1;
        break;
      case ' ':
      case ':':
        // At the start of a line it belongs to a '?'.
        break;
      default:
        may_begin = false;
    }
  }
  return nullptr;
}

size_t SkipSpace(absl::string_view text, size_t at) {
  while (at < text.size()) {
    if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (absl::StrContains(" \t\n", text[at])) {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

size_t SkipWord(absl::string_view text, size_t at) {
  if (absl::StartsWith(text.substr(at), "!<"))
    return std::min(text.find('>', at), text.size() - 1) + 1;
  return std::min(text.find_first_of(" \t\n,[]{}", at), text.size());
}

int ColumnAt(absl::string_view text, size_t from, int column, size_t to) {
  const size_t line_break = text.substr(from, to - from).rfind('\n');
  if (line_break != absl::string_view::npos) return static_cast<int>(to - from - line_break) - 1;
  return column + static_cast<int>(to - from);
}

}  // namespace kube::codec::internal
