#ifndef APIMACHINERY_CEL_INTERNAL_PARSER_H_
#define APIMACHINERY_CEL_INTERNAL_PARSER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/internal/lexer.h"
#include "apimachinery/cel/parse.h"
#include "apimachinery/cel/source.h"

namespace kube::cel::internal {

// A parser by recursive descent, with one function for each rule of cel-go's grammar. Each rule
// counts how deep it is nested as cel-go's parser does, so that the same expressions are too deep,
// and recursion has a bound. For one source and one call of Parse. Thread-compatible.
class Parser {
 public:
  // `source` must outlive the parser.
  Parser(const Source& source, const ParseOptions& options);

  // Returns the tree, or null after an error that ended the parse. Issues() says whether the tree
  // is valid.
  ExprPtr Parse();
  std::vector<Issue> TakeIssues() { return std::move(issues_); }

 private:
  enum Rule : uint8_t { kExpr, kOr, kAnd, kRelation, kCalc, kUnary, kMember, kPrimary, kRules };
  class Scope;

  // A parsed part: null after a syntax error. `depth` counts the nested operators that cel-go
  // visits recursively.
  struct Part {
    ExprPtr expr = nullptr;
    int depth = 0;
  };
  struct Parts {
    std::vector<ExprPtr> exprs = {};
    std::vector<bool> optional = {};
    int depth = 0;
  };

  Part ParseExpr();
  Part ParseOr();
  Part ParseAnd();
  // Parses terms that are joined by `operation`, as a balanced tree of calls of `function`.
  Part ParseTerms(absl::string_view operation, absl::string_view function,
                  Part (Parser::*parse_term)());
  Part ParseRelation();
  Part ParseRelationOperand();
  Part ParseCalc(int precedence);
  Part ParseUnary();
  Part ParseOperators(absl::string_view symbol, absl::string_view function);
  Part ParseMember();
  bool ParseField(Part& part);
  bool ParseMethod(Part& part, const Token& name);
  bool ParseIndex(Part& part);
  Part ParsePrimary();
  Part ParseNested();
  Part ParseList();
  Part ParseMap();
  Part ParseIdentifier();
  Part ParseMessage(const Token& first, bool leading_dot);
  Part ParseLiteral();
  ExprPtr ParseNumber(const Token& sign, const Token& token);
  bool ParseElements(absl::string_view end, Parts& parts);
  bool ParseEntries(absl::string_view end, bool is_map, Expr& expr, int& depth);
  bool ParseEntry(bool is_map, Expr& expr, int& depth);
  bool ParseArguments(std::vector<ExprPtr>& arguments, int& depth);

  const Token& Peek(size_t ahead = 0) const;
  const Token& Take();
  // Takes the symbol if it is next.
  bool TakeIf(absl::string_view symbol);
  bool Expect(absl::string_view symbol);
  bool IsMessage() const;

  ExprPtr Node(ExprKind kind, size_t offset, absl::string_view name = "") const;
  ExprPtr Constant(size_t offset, Literal literal) const;
  ExprPtr Call(size_t offset, absl::string_view function, std::vector<ExprPtr> arguments);
  ExprPtr CallOrMacro(size_t offset, absl::string_view function, ExprPtr target,
                      std::vector<ExprPtr> arguments);
  ExprPtr Balance(absl::string_view function, std::vector<ExprPtr>& terms,
                  const std::vector<size_t>& offsets, size_t low, size_t high);
  // Returns the part one operator deeper; reports an error if that is too deep.
  Part Deeper(ExprPtr expr, int depth);
  // Returns the field's name: without its quotes.
  std::string FieldName(const Token& token);

  // Reports a defect of something that was parsed; the parse goes on.
  ExprPtr Report(size_t offset, absl::string_view message);
  // Report a syntax error, which ends the parse. Return false.
  bool FailAt(const Token& token, absl::string_view message);
  bool FailMismatched(absl::string_view expected);
  bool FailNowhere(absl::string_view message);

  const Source& source_;
  const ParseOptions options_;
  Tokens tokens_;
  size_t next_ = 0;
  bool failed_ = false;
  size_t copied_nodes_ = 0;
  std::array<int, kRules> depths_ = {};
  std::vector<Issue> issues_;
};

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_PARSER_H_
