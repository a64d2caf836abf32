#ifndef APIMACHINERY_JSONPATH_INTERNAL_PARSER_H_
#define APIMACHINERY_JSONPATH_INTERNAL_PARSER_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/jsonpath/internal/node.h"

namespace kube::jsonpath::internal {

// Parses a template, "text {action} text", as upstream's parser does, including its peculiarities.
// Returns INVALID_ARGUMENT with upstream's words if upstream refuses the text, and UNIMPLEMENTED if
// only upstream supports it. `text` must outlive the parser. Thread-compatible.
class Parser {
 public:
  explicit Parser(absl::string_view text) : text_(text) {}

  // Returns the actions and the texts between them.
  absl::StatusOr<Actions> Parse() &&;

 private:
  // Parses an action, whose opening brace is at `pos_`, and leaves its nodes in `nodes_`.
  absl::Status ParseAction();

  // Each of these parses what begins at `pos_` and appends its node to `nodes_`.
  absl::Status ParseStep();
  absl::Status ParseField();
  absl::Status ParseName();
  absl::Status ParseRecursive();
  absl::Status ParseBracket();
  absl::Status ParseUnion(absl::string_view text);
  absl::Status ParseSlice(absl::string_view text);
  absl::Status ParseFilter();
  absl::Status ParseQuote(char quote);
  absl::Status ParseNumber();
  absl::Status ParseWord();

  // Returns the text between the parentheses of a filter, and sets `pos_` after the bracket.
  absl::StatusOr<absl::string_view> CutFilter();

  bool StartsWith(absl::string_view prefix) const {
    return text_.substr(pos_, prefix.size()) == prefix;
  }

  const absl::string_view text_;
  size_t pos_ = 0;
  Nodes nodes_;
};

// Removes the quotes and replaces the escapes of a Go string literal, which may have either quote.
absl::StatusOr<std::string> Unquote(absl::string_view quoted);

}  // namespace kube::jsonpath::internal

#endif  // APIMACHINERY_JSONPATH_INTERNAL_PARSER_H_
