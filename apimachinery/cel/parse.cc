#include "apimachinery/cel/parse.h"

#include <utility>

#include "absl/status/status.h"
#include "apimachinery/cel/internal/parser.h"

namespace kube::cel {

ParseResult ParseWithIssues(absl::string_view text, const ParseOptions& options) {
  ParseResult result;
  result.ast.source = Source(text);
  internal::Parser parser(result.ast.source, options);
  result.ast.root = parser.Parse();
  result.issues = parser.TakeIssues();
  return result;
}

absl::StatusOr<Ast> Parse(absl::string_view text, const ParseOptions& options) {
  ParseResult result = ParseWithIssues(text, options);
  if (!result.issues.empty()) {
    return absl::InvalidArgumentError(FormatIssues(result.ast.source, std::move(result.issues)));
  }
  return std::move(result.ast);
}

}  // namespace kube::cel
