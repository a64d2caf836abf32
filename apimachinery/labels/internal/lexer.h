#ifndef APIMACHINERY_LABELS_INTERNAL_LEXER_H_
#define APIMACHINERY_LABELS_INTERNAL_LEXER_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::labels::internal {

enum class TokenType : uint8_t {
  kEnd,
  kIdentifier,  // any other text; checked later
  kIn,          // the word "in"; see Parser::Peek
  kNotIn,
  kNot,  // !
  kEquals,
  kDoubleEquals,
  kNotEquals,
  kGreaterThan,
  kLessThan,
  kOpen,
  kClose,
  kComma,
};

struct Token {
  TokenType type = TokenType::kEnd;
  absl::string_view text = {};  // as written; "" at the end
};

// Splits a selector into tokens, which view `text`; the last one is kEnd. As upstream, a zero byte
// ends the token before it, and ends the text where a token would begin.
// (client-go: `labels.Lexer`) Thread-safe.
std::vector<Token> Tokenize(absl::string_view text);

}  // namespace kube::labels::internal

#endif  // APIMACHINERY_LABELS_INTERNAL_LEXER_H_
