#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/labels/internal/check.h"
#include "apimachinery/labels/internal/lexer.h"
#include "apimachinery/labels/requirement.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

namespace kube::labels {
namespace {

using internal::Token;
using internal::TokenType;

absl::Status Found(absl::string_view text, absl::string_view expected) {
  return absl::InvalidArgumentError(absl::StrCat("found '", text, "'", expected));
}

// A recursive-descent parser with upstream's messages. (client-go: `labels.Parser`)
class Parser {
 public:
  Parser(absl::string_view text, const validation::field::Path& path)
      : tokens_(internal::Tokenize(text)), path_(path) {}

  absl::StatusOr<std::vector<Requirement>> Run();

 private:
  // Returns the next token. "in" and "notin" are identifiers here; only TakeOperator treats them as
  // operators.
  Token Peek() const {
    Token token = tokens_[position_];
    if (token.type == TokenType::kIn || token.type == TokenType::kNotIn) {
      token.type = TokenType::kIdentifier;
    }
    return token;
  }
  // Removes the next token. No caller continues after the end token.
  Token Take() {
    const Token token = Peek();
    ++position_;
    return token;
  }
  bool AtEndOfRequirement() const {
    const TokenType type = Peek().type;
    return type == TokenType::kEnd || type == TokenType::kComma;
  }

  absl::StatusOr<Requirement> TakeRequirement();
  absl::StatusOr<Operator> TakeOperator();
  absl::StatusOr<std::set<std::string>> TakeValues();
  absl::StatusOr<std::set<std::string>> TakeList();
  absl::StatusOr<std::set<std::string>> TakeExactValue();

  const std::vector<Token> tokens_;
  const validation::field::Path& path_;
  size_t position_ = 0;
};

absl::StatusOr<std::vector<Requirement>> Parser::Run() {
  std::vector<Requirement> requirements;
  absl::string_view expected = ", expected: !, identifier, or 'end of string'";
  while (true) {
    const Token next = Peek();
    if (next.type == TokenType::kEnd && requirements.empty()) return requirements;
    if (next.type != TokenType::kIdentifier && next.type != TokenType::kNot) {
      return Found(next.text, expected);
    }
    absl::StatusOr<Requirement> requirement = TakeRequirement();
    if (!requirement.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("unable to parse requirement: ", requirement.status().message()));
    }
    requirements.push_back(*std::move(requirement));
    const Token after = Take();
    if (after.type == TokenType::kEnd) return requirements;
    if (after.type != TokenType::kComma) {
      return Found(after.text, ", expected: ',' or 'end of string'");
    }
    expected = ", expected: identifier after ','";
  }
}

absl::StatusOr<Requirement> Parser::TakeRequirement() {
  Token key = Take();
  const bool negated = key.type == TokenType::kNot;
  if (negated) key = Take();
  if (key.type != TokenType::kIdentifier) return Found(key.text, ", expected: identifier");
  KUBE_RETURN_IF_ERROR(ToAggregate(internal::CheckLabelKey(key.text, path_)));
  if (negated) return Requirement::Make(key.text, Operator::kDoesNotExist, {}, path_);
  if (AtEndOfRequirement()) return Requirement::Make(key.text, Operator::kExists, {}, path_);
  KUBE_ASSIGN_OR_RETURN(const Operator op, TakeOperator());
  const bool list = op == Operator::kIn || op == Operator::kNotIn;
  KUBE_ASSIGN_OR_RETURN(const std::set<std::string> values, list ? TakeValues() : TakeExactValue());
  return Requirement::Make(key.text, op, {values.begin(), values.end()}, path_);
}

absl::StatusOr<Operator> Parser::TakeOperator() {
  const Token token = tokens_[position_++];
  switch (token.type) {
    case TokenType::kIn:
      return Operator::kIn;
    case TokenType::kNotIn:
      return Operator::kNotIn;
    case TokenType::kEquals:
      return Operator::kEquals;
    case TokenType::kDoubleEquals:
      return Operator::kDoubleEquals;
    case TokenType::kNotEquals:
      return Operator::kNotEquals;
    case TokenType::kGreaterThan:
      return Operator::kGreaterThan;
    case TokenType::kLessThan:
      return Operator::kLessThan;
    default:
      return Found(token.text, ", expected: in, notin, =, ==, !=, gt, lt");
  }
}

absl::StatusOr<std::set<std::string>> Parser::TakeValues() {
  const Token open = Take();
  if (open.type != TokenType::kOpen) return Found(open.text, " expected: '('");
  const Token next = Peek();
  if (next.type == TokenType::kClose) {
    Take();
    return std::set<std::string>{""};
  }
  if (next.type != TokenType::kIdentifier && next.type != TokenType::kComma) {
    return Found(next.text, ", expected: ',', ')' or identifier");
  }
  return TakeList();
}

// Takes identifiers separated by commas. A missing identifier is the empty value.
absl::StatusOr<std::set<std::string>> Parser::TakeList() {
  std::set<std::string> values;
  while (true) {
    const Token token = Take();
    const Token next = token.type == TokenType::kEnd ? token : Peek();
    if (token.type == TokenType::kIdentifier) {
      values.insert(std::string(token.text));
      if (next.type != TokenType::kComma && next.type != TokenType::kClose) {
        return Found(next.text, ", expected: ',' or ')'");
      }
    } else if (token.type == TokenType::kComma) {
      const bool missing = next.type == TokenType::kComma || next.type == TokenType::kClose;
      if (values.empty() || missing) values.insert("");
    } else {
      return Found(token.text, ", expected: ',', or identifier");
    }
    if (next.type == TokenType::kClose) {
      Take();
      return values;
    }
  }
}

absl::StatusOr<std::set<std::string>> Parser::TakeExactValue() {
  if (AtEndOfRequirement()) return std::set<std::string>{""};
  const Token value = Take();
  if (value.type != TokenType::kIdentifier) return Found(value.text, ", expected: identifier");
  return std::set<std::string>{std::string(value.text)};
}

}  // namespace

absl::StatusOr<Selector> Parse(absl::string_view text, const validation::field::Path& path) {
  KUBE_ASSIGN_OR_RETURN(std::vector<Requirement> requirements, Parser(text, path).Run());
  return Selector(std::move(requirements));
}

}  // namespace kube::labels
