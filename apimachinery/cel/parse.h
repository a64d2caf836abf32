#ifndef APIMACHINERY_CEL_PARSE_H_
#define APIMACHINERY_CEL_PARSE_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/source.h"

namespace kube::cel {

struct ParseOptions {
  // How deep each rule of the grammar may be nested. An API server has 250.
  int max_depth = 250;
  // The largest number of code points. An API server has 100,000.
  size_t max_code_points = 100'000;
  // Whether a field may be written in back quotes: self.`a-b`. An API server does not allow it.
  bool escaped_identifiers = false;
};

// Parses an expression and expands its macros: has, all, exists, exists_one, map, filter and those
// for two variables and for optional values. Optional syntax is allowed: a.?b, a[?b], [?a], {?a:
// b}.
//
//   KUBE_ASSIGN_OR_RETURN(Ast ast, Parse("self.replicas <= self.max"));
//
// Returns INVALID_ARGUMENT with the text of FormatIssues for a text that is not an expression.
// Unlike cel-go, it refuses chains of optMap and optFlatMap that would double the tree too often,
// stops at the first syntax error, and says less about what it expected. Pure function:
// thread-safe. (cel-go: `Parser.Parse`)
absl::StatusOr<Ast> Parse(absl::string_view text, const ParseOptions& options = {});

// Does the same, but returns the defects.
struct ParseResult {
  Ast ast = {};
  // If there are any, the tree is null or incomplete.
  std::vector<Issue> issues = {};
};
ParseResult ParseWithIssues(absl::string_view text, const ParseOptions& options = {});

}  // namespace kube::cel

#endif  // APIMACHINERY_CEL_PARSE_H_
