#ifndef APIMACHINERY_CEL_INTERNAL_LEXER_H_
#define APIMACHINERY_CEL_INTERNAL_LEXER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

// Divides an expression into tokens.
namespace kube::cel::internal {

enum class TokenKind : uint8_t {
  kEnd,
  kIdentifier,
  kEscapedIdentifier,  // `a-b`, with its quotes
  kInt,
  kUint,
  kDouble,
  kString,  // with its quotes and prefix
  kBytes,
  kTrue,
  kFalse,
  kNull,
  kIn,
  kSymbol,  // an operator or a bracket: `text` says which
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  size_t offset = 0;
  // A part of the source. "<EOF>" for the end.
  absl::string_view text = "<EOF>";

  bool Is(absl::string_view symbol) const { return kind == TokenKind::kSymbol && text == symbol; }
};

// A piece of the source that no token begins with.
struct LexerError {
  size_t offset = 0;
  std::string message = {};
};

struct Tokens {
  // Ends with a token kEnd.
  std::vector<Token> tokens = {};
  std::vector<LexerError> errors = {};
};

// Returns the tokens of `source`, to which they refer. Pieces that are not tokens are left out.
Tokens Tokenize(absl::string_view source);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_LEXER_H_
