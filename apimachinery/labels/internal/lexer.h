#ifndef APIMACHINERY_LABELS_INTERNAL_LEXER_H_
#define APIMACHINERY_LABELS_INTERNAL_LEXER_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::labels::internal {

enum class TokenType : uint8_t {
  kEnd,
  kIdentifier,  // any other text: keys and values are checked later
  kIn,          // the word; an identifier where no operator is expected
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
  absl::string_view text = {};  // as it stands there; "" of the end
};

// The tokens of a selector; the last one is the end. They view `text`. As upstream, a zero byte
// ends the token before it, and ends the text where a token should begin. (labels.Lexer)
// Thread-safe.
std::vector<Token> Tokenize(absl::string_view text);

}  // namespace kube::labels::internal

#endif  // APIMACHINERY_LABELS_INTERNAL_LEXER_H_
