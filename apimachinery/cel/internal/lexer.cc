#include "apimachinery/cel/internal/lexer.h"

#include <algorithm>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "apimachinery/base/text/utf8.h"

namespace kube::cel::internal {
namespace {

// The longest token wins; among equally long ones the first of the grammar.

bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }
bool IsHexDigit(char c) { return absl::ascii_isxdigit(static_cast<unsigned char>(c)); }
bool IsLetter(char c) { return absl::ascii_isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool IsNameCharacter(char c) { return IsLetter(c) || IsDigit(c); }

template <typename Predicate>
size_t CountWhile(absl::string_view text, Predicate matches) {
  return static_cast<size_t>(std::find_if_not(text.begin(), text.end(), matches) - text.begin());
}

// Returns the size of "e+5" at the start of the text, or 0.
size_t ExponentSize(absl::string_view text) {
  if (text.empty() || (text[0] != 'e' && text[0] != 'E')) return 0;
  const size_t sign = text.size() > 1 && (text[1] == '+' || text[1] == '-') ? 1 : 0;
  const size_t digits = CountWhile(text.substr(1 + sign), IsDigit);
  return digits == 0 ? 0 : 1 + sign + digits;
}

struct Match {
  TokenKind kind = TokenKind::kEnd;
  size_t size = 0;
};

Match MatchNumber(absl::string_view text) {
  if (absl::StartsWith(text, "0x") && text.size() > 2 && IsHexDigit(text[2])) {
    const size_t size = 2 + CountWhile(text.substr(2), IsHexDigit);
    const bool is_unsigned = size < text.size() && (text[size] == 'u' || text[size] == 'U');
    return is_unsigned ? Match{TokenKind::kUint, size + 1} : Match{TokenKind::kInt, size};
  }
  size_t size = CountWhile(text, IsDigit);
  const absl::string_view rest = text.substr(size);
  bool is_double = false;
  if (rest.size() > 1 && rest[0] == '.' && IsDigit(rest[1])) {
    size += 1 + CountWhile(rest.substr(1), IsDigit);
    is_double = true;
  }
  if (const size_t exponent = ExponentSize(text.substr(size)); exponent > 0) {
    size += exponent;
    is_double = true;
  }
  if (is_double) return {TokenKind::kDouble, size};
  const bool is_unsigned = size < text.size() && (text[size] == 'u' || text[size] == 'U');
  return is_unsigned ? Match{TokenKind::kUint, size + 1} : Match{TokenKind::kInt, size};
}

// Returns the size of the escape sequence at the start of the text, or 0 if it is not one.
size_t EscapeSize(absl::string_view text) {
  if (text.size() < 2) return 0;
  const char c = text[1];
  if (absl::StrContains("abfnrtv\"'\\?`", c)) return 2;
  size_t digits = 0;
  if (c == 'x' || c == 'X') digits = 2;
  if (c == 'u') digits = 4;
  if (c == 'U') digits = 8;
  if (digits > 0) {
    return CountWhile(text.substr(2, digits), IsHexDigit) == digits ? 2 + digits : 0;
  }
  const auto octal = [](char o) { return o >= '0' && o <= '7'; };
  return c >= '0' && c <= '3' && CountWhile(text.substr(2, 2), octal) == 2 ? 4 : 0;
}

// The end of a string in quotes, or the position at which it cannot go on.
struct StringEnd {
  bool found = false;
  size_t position = 0;
};

// Looks for `quote` from `start` on. A quote of one character does not span lines.
StringEnd FindEnd(absl::string_view text, size_t start, absl::string_view quote, bool raw) {
  size_t i = start;
  while (i < text.size()) {
    if (absl::StartsWith(text.substr(i), quote)) return {true, i + quote.size()};
    if (quote.size() == 1 && (text[i] == '\n' || text[i] == '\r')) return {false, i};
    if (raw || text[i] != '\\') {
      ++i;
      continue;
    }
    const size_t size = EscapeSize(text.substr(i));
    if (size == 0) return {false, std::min(i + 1, text.size())};
    i += size;
  }
  return {false, i};
}

// A string with its prefix: `size` is 0 if none starts here; if it has no end, it is where the text
// stops to be one.
struct StringMatch {
  bool starts = false;
  bool complete = false;
  TokenKind kind = TokenKind::kString;
  size_t size = 0;
};

StringMatch MatchString(absl::string_view text) {
  StringMatch match;
  size_t i = 0;
  if (!text.empty() && (text[0] == 'b' || text[0] == 'B')) {
    match.kind = TokenKind::kBytes;
    ++i;
  }
  const bool raw = i < text.size() && (text[i] == 'r' || text[i] == 'R');
  if (raw) ++i;
  if (i >= text.size() || (text[i] != '"' && text[i] != '\'')) return match;
  match.starts = true;
  const std::string triple(3, text[i]);
  if (absl::StartsWith(text.substr(i), triple)) {
    const StringEnd end = FindEnd(text, i + 3, triple, raw);
    if (end.found) {
      match.complete = true;
      match.size = end.position;
      return match;
    }
  }
  const StringEnd end = FindEnd(text, i + 1, text.substr(i, 1), raw);
  match.complete = end.found;
  match.size = end.position;
  return match;
}

size_t MatchEscapedIdentifier(absl::string_view text) {
  const size_t inner = CountWhile(text.substr(1), [](char c) {
    return IsNameCharacter(c) || c == '.' || c == '-' || c == '/' || c == ' ';
  });
  return inner > 0 && text.size() > inner + 1 && text[inner + 1] == '`' ? inner + 2 : 0;
}

TokenKind KeywordOrIdentifier(absl::string_view name) {
  if (name == "true") return TokenKind::kTrue;
  if (name == "false") return TokenKind::kFalse;
  if (name == "null") return TokenKind::kNull;
  if (name == "in") return TokenKind::kIn;
  return TokenKind::kIdentifier;
}

size_t SymbolSize(absl::string_view text) {
  for (const absl::string_view symbol : {"==", "!=", "<=", ">=", "&&", "||"}) {
    if (absl::StartsWith(text, symbol)) return 2;
  }
  return absl::StrContains("<>[]{}().,-!?:+*/%", text[0]) ? 1 : 0;
}

size_t SkippedSize(absl::string_view text) {
  if (absl::StartsWith(text, "//")) return std::min(text.find('\n'), text.size());
  return CountWhile(text, [](char c) { return absl::StrContains("\t \r\n\f", c); });
}

// Returns the text of an error, in which breaks of lines are visible.
std::string Shown(absl::string_view text) {
  return absl::StrReplaceAll(text, {{"\n", "\\n"}, {"\r", "\\r"}, {"\t", "\\t"}});
}

LexerError NoToken(size_t offset, absl::string_view text) {
  return {.offset = offset,
          .message = absl::StrCat("token recognition error at: '", Shown(text), "'")};
}

// Returns the token at the start of the text, which is not empty; of size 0 if there is no token.
Match MatchToken(absl::string_view text) {
  if (IsDigit(text[0]) || (text[0] == '.' && text.size() > 1 && IsDigit(text[1]))) {
    return MatchNumber(text);
  }
  if (const StringMatch string = MatchString(text); string.complete) {
    return {string.kind, string.size};
  }
  if (IsLetter(text[0])) {
    const size_t size = CountWhile(text, IsNameCharacter);
    return {KeywordOrIdentifier(text.substr(0, size)), size};
  }
  if (text[0] == '`') return {TokenKind::kEscapedIdentifier, MatchEscapedIdentifier(text)};
  return {TokenKind::kSymbol, SymbolSize(text)};
}

// Returns the size of what is left out where there is no token: with a string also what looked like
// the string.
size_t UnknownSize(absl::string_view text) {
  const StringMatch string = MatchString(text);
  if (!string.starts) return text::DecodeRune(text).size;
  size_t size = string.size;
  if (size < text.size()) size += text::DecodeRune(text.substr(size)).size;
  return size;
}

}  // namespace

Tokens Tokenize(absl::string_view source) {
  Tokens result;
  size_t i = 0;
  while (i < source.size()) {
    const absl::string_view rest = source.substr(i);
    if (const size_t skipped = SkippedSize(rest); skipped > 0) {
      i += skipped;
      continue;
    }
    const Match match = MatchToken(rest);
    const size_t size = match.size > 0 ? match.size : UnknownSize(rest);
    if (match.size > 0) {
      result.tokens.push_back({.kind = match.kind, .offset = i, .text = rest.substr(0, size)});
    } else {
      result.errors.push_back(NoToken(i, rest.substr(0, size)));
    }
    i += size;
  }
  result.tokens.push_back({.kind = TokenKind::kEnd, .offset = source.size(), .text = "<EOF>"});
  return result;
}

}  // namespace kube::cel::internal
