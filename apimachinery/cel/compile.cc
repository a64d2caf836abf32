#include "apimachinery/cel/compile.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "apimachinery/cel/internal/checker.h"
#include "apimachinery/cel/internal/function.h"
#include "apimachinery/cel/internal/library/kubernetes_library.h"
#include "apimachinery/cel/internal/validator.h"
#include "apimachinery/cel/parse.h"
#include "apimachinery/cel/source.h"

namespace kube::cel {

absl::StatusOr<Ast> Compile(absl::string_view expression, const Environment& environment) {
  const internal::Functions& functions = internal::KubernetesFunctions();
  ParseResult parsed = ParseWithIssues(expression);
  Ast ast = std::move(parsed.ast);
  std::vector<Issue> issues = std::move(parsed.issues);
  if (issues.empty()) issues = internal::CheckTypes(environment, functions, ast);
  if (issues.empty()) issues = internal::ValidateLiterals(ast, functions);
  if (!issues.empty()) {
    return absl::InvalidArgumentError(FormatIssues(ast.source, std::move(issues)));
  }
  ast.checked = true;
  return ast;
}

}  // namespace kube::cel
