#ifndef APIMACHINERY_JSONPATH_INTERNAL_PARSER_H_
#define APIMACHINERY_JSONPATH_INTERNAL_PARSER_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/jsonpath/internal/node.h"

namespace kube::jsonpath::internal {

// Reads one action of a template, "{...}", as upstream's parser does; some of what it accepts is
// odd. INVALID_ARGUMENT, with upstream's words, for what upstream refuses; UNIMPLEMENTED for what
// only upstream supports. `text` must outlive the parser. Thread-compatible.
class Parser {
 public:
  // `text` begins with "{".
  explicit Parser(absl::string_view text) : text_(text), pos_(1) {}

  // To the "}", behind which there must be nothing.
  absl::StatusOr<Nodes> Parse() &&;

 private:
  // Each takes what stands at pos_ and appends its node.
  absl::Status ParseStep();
  absl::Status ParseField();
  absl::Status ParseBracket();
  absl::Status ParseSlice(absl::string_view text);
  absl::Status ParseFilter();
  absl::Status ParseQuote(char quote);
  absl::Status ParseNumber();
  absl::Status ParseWord();

  // What a filter says is in its parentheses. Moves pos_ behind the bracket.
  absl::StatusOr<absl::string_view> CutFilter();

  bool StartsWith(absl::string_view prefix) const {
    return text_.substr(pos_, prefix.size()) == prefix;
  }

  const absl::string_view text_;
  size_t pos_;
  Nodes nodes_;
};

// Undoes the quotes and the escapes of Go's string literals; either quote will do.
absl::StatusOr<std::string> Unquote(absl::string_view quoted);

}  // namespace kube::jsonpath::internal

#endif  // APIMACHINERY_JSONPATH_INTERNAL_PARSER_H_
