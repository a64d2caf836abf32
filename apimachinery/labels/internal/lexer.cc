#include "apimachinery/labels/internal/lexer.h"

#include <cstddef>

namespace kube::labels::internal {
namespace {

constexpr absl::string_view kSpace = " \t\r\n";
constexpr absl::string_view kSymbols = "=!(),><";
// The characters that end an identifier.
constexpr absl::string_view kDelimiters("=!(),>< \t\r\n\0", 12);

TokenType SymbolType(absl::string_view symbol) {
  if (symbol == "==") return TokenType::kDoubleEquals;
  if (symbol == "!=") return TokenType::kNotEquals;
  switch (symbol.front()) {
    case '=':
      return TokenType::kEquals;
    case '!':
      return TokenType::kNot;
    case '(':
      return TokenType::kOpen;
    case ')':
      return TokenType::kClose;
    case ',':
      return TokenType::kComma;
    case '>':
      return TokenType::kGreaterThan;
    default:
      return TokenType::kLessThan;
  }
}

Token SymbolAt(absl::string_view text) {
  const absl::string_view two = text.substr(0, 2);
  const absl::string_view symbol = two == "==" || two == "!=" ? two : text.substr(0, 1);
  return {SymbolType(symbol), symbol};
}

Token WordAt(absl::string_view text) {
  const absl::string_view word = text.substr(0, text.find_first_of(kDelimiters));
  if (word == "in") return {TokenType::kIn, word};
  if (word == "notin") return {TokenType::kNotIn, word};
  return {TokenType::kIdentifier, word};
}

}  // namespace

std::vector<Token> Tokenize(absl::string_view text) {
  std::vector<Token> tokens;
  while (true) {
    const size_t start = text.find_first_not_of(kSpace);
    if (start == absl::string_view::npos || text[start] == '\0') {
      tokens.push_back({});
      return tokens;
    }
    text.remove_prefix(start);
    const bool symbol = kSymbols.find(text.front()) != absl::string_view::npos;
    tokens.push_back(symbol ? SymbolAt(text) : WordAt(text));
    text.remove_prefix(tokens.back().text.size());
    // Upstream's reader cannot distinguish a zero byte from the end, and consumes it.
    if (!text.empty() && text.front() == '\0') text.remove_prefix(1);
  }
}

}  // namespace kube::labels::internal
