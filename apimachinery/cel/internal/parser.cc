#include "apimachinery/cel/internal/parser.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/cel/internal/literals.h"
#include "apimachinery/cel/internal/macros.h"

namespace kube::cel::internal {
namespace {

constexpr absl::string_view kOperand =
    "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, "
    "BYTES, IDENTIFIER}";

constexpr size_t kMaxCopiedNodes = 100'000;

// Not allowed as variables and functions, although the grammar would allow most of them.
constexpr absl::string_view kReserved[] = {
    "as",       "break",     "const",  "continue", "else", "false", "for",
    "function", "if",        "import", "in",       "let",  "loop",  "null",
    "package",  "namespace", "return", "true",     "var",  "void",  "while",
};

bool IsReserved(absl::string_view name) { return absl::c_linear_search(kReserved, name); }

bool IsRelation(const Token& token) {
  if (token.kind == TokenKind::kIn) return true;
  return token.kind == TokenKind::kSymbol &&
         (token.text == "<" || token.text == "<=" || token.text == ">=" || token.text == ">" ||
          token.text == "==" || token.text == "!=");
}

// Returns the function of an operator with two operands: "_+_", "@in".
std::string Operator(const Token& token) {
  return token.kind == TokenKind::kIn ? "@in" : absl::StrCat("_", token.text, "_");
}

// Returns how tightly an arithmetic operator binds, or 0 if the token is not one.
int Precedence(const Token& token) {
  if (token.Is("*") || token.Is("/") || token.Is("%")) return 2;
  return token.Is("+") || token.Is("-") ? 1 : 0;
}

bool IsNumber(const Token& token) {
  return token.kind == TokenKind::kInt || token.kind == TokenKind::kDouble;
}

std::vector<ExprPtr> List(ExprPtr a, ExprPtr b) {
  std::vector<ExprPtr> list;
  list.push_back(std::move(a));
  list.push_back(std::move(b));
  return list;
}

}  // namespace

// Counts how deep a rule is nested while it exists. Push counts the part that is parsed already as
// one more level, as cel-go's parser does for operators that associate to the left.
class Parser::Scope {
 public:
  Scope(Parser& parser, Rule rule) : parser_(parser), rule_(rule) { Push(); }
  ~Scope() { parser_.depths_[rule_] -= count_; }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  // Returns false, after an error, if that is too deep.
  bool Push() {
    ++count_;
    if (++parser_.depths_[rule_] <= parser_.options_.max_depth) return !parser_.failed_;
    return parser_.FailNowhere(
        absl::StrCat("expression recursion limit exceeded: ", parser_.options_.max_depth));
  }
  bool ok() const { return !parser_.failed_; }

 private:
  Parser& parser_;
  const Rule rule_;
  int count_ = 0;
};

Parser::Parser(const Source& source, const ParseOptions& options)
    : source_(source), options_(options) {}

ExprPtr Parser::Parse() {
  const size_t size = source_.code_points();
  if (size > options_.max_code_points) {
    FailNowhere(absl::StrCat("expression code point size exceeds limit: size: ", size, ", limit ",
                             options_.max_code_points));
    return nullptr;
  }
  tokens_ = Tokenize(source_.text());
  for (const LexerError& error : tokens_.errors) {
    Report(error.offset, absl::StrCat("Syntax error: ", error.message));
  }
  Part part = ParseExpr();
  if (!failed_ && Peek().kind != TokenKind::kEnd) {
    const bool last = Peek(1).kind == TokenKind::kEnd;
    FailAt(Peek(), absl::StrCat(last ? "extraneous" : "mismatched", " input '", Peek().text,
                                "' expecting <EOF>"));
  }
  return failed_ ? nullptr : std::move(part.expr);
}

// ---- tokens and errors

const Token& Parser::Peek(size_t ahead) const {
  return tokens_.tokens[std::min(next_ + ahead, tokens_.tokens.size() - 1)];
}

const Token& Parser::Take() {
  const Token& token = Peek();
  if (token.kind != TokenKind::kEnd) ++next_;
  return token;
}

bool Parser::TakeIf(absl::string_view symbol) {
  if (!Peek().Is(symbol)) return false;
  ++next_;
  return true;
}

bool Parser::Expect(absl::string_view symbol) {
  if (failed_) return false;
  if (TakeIf(symbol)) return true;
  return FailAt(Peek(), absl::StrCat("missing '", symbol, "' at '", Peek().text, "'"));
}

ExprPtr Parser::Report(size_t offset, absl::string_view message) {
  issues_.push_back({.location = source_.LocationOf(offset), .message = std::string(message)});
  return Node(ExprKind::kUnspecified, offset);
}

bool Parser::FailAt(const Token& token, absl::string_view message) {
  if (!failed_) Report(token.offset, absl::StrCat("Syntax error: ", message));
  failed_ = true;
  return false;
}

bool Parser::FailMismatched(absl::string_view expected) {
  return FailAt(Peek(), absl::StrCat("mismatched input '", Peek().text, "' expecting ", expected));
}

bool Parser::FailNowhere(absl::string_view message) {
  if (!failed_) issues_.push_back({.location = {}, .message = std::string(message)});
  failed_ = true;
  return false;
}

// ---- nodes

ExprPtr Parser::Node(ExprKind kind, size_t offset, absl::string_view name) const {
  auto expr = std::make_unique<Expr>();
  expr->kind = kind;
  expr->offset = offset;
  expr->name = std::string(name);
  return expr;
}

ExprPtr Parser::Constant(size_t offset, Literal literal) const {
  ExprPtr expr = Node(ExprKind::kLiteral, offset);
  expr->literal = std::move(literal);
  return expr;
}

ExprPtr Parser::Call(size_t offset, absl::string_view function, std::vector<ExprPtr> arguments) {
  return CallOrMacro(offset, function, nullptr, std::move(arguments));
}

ExprPtr Parser::CallOrMacro(size_t offset, absl::string_view function, ExprPtr target,
                            std::vector<ExprPtr> arguments) {
  if (IsMacro(function, arguments.size(), target != nullptr)) {
    // These two copy their target. Without a limit the tree would double with each of them.
    if (function == "optMap" || function == "optFlatMap") copied_nodes_ += CountNodes(*target);
    if (copied_nodes_ > kMaxCopiedNodes) {
      FailNowhere("expression is too large");
      return nullptr;
    }
    Expansion expansion = Expand({.function = std::string(function),
                                  .offset = offset,
                                  .target = std::move(target),
                                  .arguments = std::move(arguments)});
    return expansion.error.empty() ? std::move(expansion.expr)
                                   : Report(expansion.error_offset, expansion.error);
  }
  ExprPtr call = Node(ExprKind::kCall, offset, function);
  call->operand = std::move(target);
  call->arguments = std::move(arguments);
  return call;
}

// Makes a balanced tree of terms that are joined by && or ||: the order of the terms is kept, and
// the tree is not deep.
ExprPtr Parser::Balance(absl::string_view function, std::vector<ExprPtr>& terms,
                        const std::vector<size_t>& offsets, size_t low, size_t high) {
  const size_t middle = (low + high + 1) / 2;
  ExprPtr left =
      middle == low ? std::move(terms[middle]) : Balance(function, terms, offsets, low, middle - 1);
  ExprPtr right = middle == high ? std::move(terms[middle + 1])
                                 : Balance(function, terms, offsets, middle + 1, high);
  return Call(offsets[middle], function, List(std::move(left), std::move(right)));
}

Parser::Part Parser::Deeper(ExprPtr expr, int depth) {
  if (depth + 1 > options_.max_depth) FailNowhere("max recursion depth exceeded");
  return {.expr = std::move(expr), .depth = depth + 1};
}

std::string Parser::FieldName(const Token& token) {
  if (token.kind == TokenKind::kIdentifier) return std::string(token.text);
  if (!options_.escaped_identifiers) Report(token.offset, "unsupported syntax: '`'");
  return std::string(token.text.substr(1, token.text.size() - 2));
}

// ---- operators

Parser::Part Parser::ParseExpr() {
  const Scope scope(*this, kExpr);
  if (!scope.ok()) return {};
  Part condition = ParseOr();
  const size_t offset = Peek().offset;
  if (failed_ || !TakeIf("?")) return condition;
  Part yes = ParseOr();
  if (!Expect(":")) return {};
  Part no = ParseExpr();
  if (failed_) return {};
  std::vector<ExprPtr> arguments = List(std::move(condition.expr), std::move(yes.expr));
  arguments.push_back(std::move(no.expr));
  return Deeper(Call(offset, "_?_:_", std::move(arguments)),
                std::max({condition.depth, yes.depth, no.depth}));
}

Parser::Part Parser::ParseOr() {
  const Scope scope(*this, kOr);
  return scope.ok() ? ParseTerms("||", "_||_", &Parser::ParseAnd) : Part{};
}

Parser::Part Parser::ParseAnd() {
  const Scope scope(*this, kAnd);
  return scope.ok() ? ParseTerms("&&", "_&&_", &Parser::ParseRelation) : Part{};
}

Parser::Part Parser::ParseTerms(absl::string_view operation, absl::string_view function,
                                Part (Parser::*parse_term)()) {
  Part part = (this->*parse_term)();
  std::vector<size_t> offsets;
  std::vector<ExprPtr> terms;
  terms.push_back(std::move(part.expr));
  while (!failed_ && Peek().Is(operation)) {
    offsets.push_back(Take().offset);
    Part next = (this->*parse_term)();
    terms.push_back(std::move(next.expr));
    part.depth = std::max(part.depth, next.depth);
  }
  if (failed_) return {};
  part.expr = offsets.empty() ? std::move(terms[0])
                              : Balance(function, terms, offsets, 0, offsets.size() - 1);
  return part;
}

Parser::Part Parser::ParseRelation() {
  Scope scope(*this, kRelation);
  if (!scope.ok()) return {};
  Part left = ParseCalc(1);
  while (!failed_ && IsRelation(Peek())) {
    if (!scope.Push()) return {};
    const Token operation = Take();
    Part right = ParseRelationOperand();
    if (failed_) return {};
    left = Deeper(Call(operation.offset, Operator(operation),
                       List(std::move(left.expr), std::move(right.expr))),
                  std::max(left.depth, right.depth));
  }
  if (failed_) return {};
  return left;
}

Parser::Part Parser::ParseRelationOperand() {
  const Scope scope(*this, kRelation);
  if (!scope.ok()) return {};
  return ParseCalc(1);
}

Parser::Part Parser::ParseCalc(int precedence) {
  Scope scope(*this, kCalc);
  if (!scope.ok()) return {};
  Part left = ParseUnary();
  while (!failed_ && Precedence(Peek()) >= precedence) {
    if (!scope.Push()) return {};
    const Token operation = Take();
    Part right = ParseCalc(Precedence(operation) + 1);
    if (failed_) return {};
    left = Deeper(Call(operation.offset, Operator(operation),
                       List(std::move(left.expr), std::move(right.expr))),
                  std::max(left.depth, right.depth));
  }
  if (failed_) return {};
  return left;
}

Parser::Part Parser::ParseUnary() {
  const Scope scope(*this, kUnary);
  if (!scope.ok()) return {};
  if (Peek().Is("!")) return ParseOperators("!", "!_");
  // A single minus before a number belongs to the number.
  if (Peek().Is("-") && !IsNumber(Peek(1))) return ParseOperators("-", "-_");
  return ParseMember();
}

Parser::Part Parser::ParseOperators(absl::string_view symbol, absl::string_view function) {
  const size_t offset = Peek().offset;
  size_t count = 0;
  while (TakeIf(symbol)) ++count;
  Part part = ParseMember();
  if (failed_ || count % 2 == 0) return part;
  std::vector<ExprPtr> arguments;
  arguments.push_back(std::move(part.expr));
  part.expr = Call(offset, function, std::move(arguments));
  return part;
}

// ---- fields, methods and indices

Parser::Part Parser::ParseMember() {
  Scope scope(*this, kMember);
  if (!scope.ok()) return {};
  Part part = ParsePrimary();
  while (!failed_ && (Peek().Is(".") || Peek().Is("["))) {
    if (!scope.Push()) return {};
    if (!(Peek().Is(".") ? ParseField(part) : ParseIndex(part))) return {};
  }
  if (failed_) return {};
  return part;
}

bool Parser::ParseField(Part& part) {
  const size_t dot = Take().offset;
  const bool optional = TakeIf("?");
  const Token name = Peek();
  if (name.kind != TokenKind::kIdentifier && name.kind != TokenKind::kEscapedIdentifier) {
    const bool keyword = name.kind == TokenKind::kTrue || name.kind == TokenKind::kFalse ||
                         name.kind == TokenKind::kNull;
    return keyword ? FailMismatched("IDENTIFIER")
                   : FailAt(name, absl::StrCat("no viable alternative at input '.",
                                               name.kind == TokenKind::kEnd ? "" : name.text, "'"));
  }
  Take();
  if (!optional && name.kind == TokenKind::kIdentifier && Peek().Is("(")) {
    return ParseMethod(part, name);
  }
  const std::string field = FieldName(name);
  ExprPtr expr;
  if (optional) {
    expr = Call(dot, "_?._", List(std::move(part.expr), Constant(name.offset, field)));
  } else {
    expr = Node(ExprKind::kSelect, dot, field);
    expr->operand = std::move(part.expr);
  }
  part = Deeper(std::move(expr), part.depth);
  return !failed_;
}

bool Parser::ParseMethod(Part& part, const Token& name) {
  const size_t offset = Peek().offset;
  std::vector<ExprPtr> arguments;
  int depth = part.depth;
  if (!ParseArguments(arguments, depth)) return false;
  part = Deeper(CallOrMacro(offset, name.text, std::move(part.expr), std::move(arguments)), depth);
  return !failed_;
}

bool Parser::ParseIndex(Part& part) {
  const size_t offset = Take().offset;
  const bool optional = TakeIf("?");
  Part index = ParseExpr();
  if (!Expect("]")) return false;
  part = Deeper(
      Call(offset, optional ? "_[?_]" : "_[_]", List(std::move(part.expr), std::move(index.expr))),
      std::max(part.depth, index.depth));
  return !failed_;
}

bool Parser::ParseArguments(std::vector<ExprPtr>& arguments, int& depth) {
  if (!Expect("(")) return false;
  if (TakeIf(")")) return true;
  do {
    Part part = ParseExpr();
    if (failed_) return false;
    arguments.push_back(std::move(part.expr));
    depth = std::max(depth, part.depth);
  } while (TakeIf(","));
  return Expect(")");
}

// ---- primary expressions

Parser::Part Parser::ParsePrimary() {
  const Scope scope(*this, kPrimary);
  if (!scope.ok()) return {};
  const Token& token = Peek();
  if (token.Is("(")) return ParseNested();
  if (token.Is("[")) return ParseList();
  if (token.Is("{")) return ParseMap();
  if (token.kind == TokenKind::kIdentifier || token.Is(".")) return ParseIdentifier();
  return ParseLiteral();
}

Parser::Part Parser::ParseNested() {
  Take();
  Part part = ParseExpr();
  if (!Expect(")")) return {};
  return part;
}

Parser::Part Parser::ParseList() {
  ExprPtr list = Node(ExprKind::kList, Take().offset);
  Parts parts;
  if (!ParseElements("]", parts)) return {};
  list->arguments = std::move(parts.exprs);
  list->optional = std::move(parts.optional);
  return {.expr = std::move(list), .depth = parts.depth};
}

bool Parser::ParseElements(absl::string_view end, Parts& parts) {
  while (!Peek().Is(end) && !Peek().Is(",")) {
    parts.optional.push_back(TakeIf("?"));
    Part part = ParseExpr();
    if (failed_) return false;
    parts.exprs.push_back(std::move(part.expr));
    parts.depth = std::max(parts.depth, part.depth);
    if (!Peek().Is(",") || Peek(1).Is(end)) break;
    Take();
    if (Peek().Is(",")) return FailMismatched(kOperand);
  }
  TakeIf(",");
  return Expect(end);
}

Parser::Part Parser::ParseMap() {
  ExprPtr map = Node(ExprKind::kMap, Take().offset);
  int depth = 0;
  if (!ParseEntries("}", /*is_map=*/true, *map, depth)) return {};
  return {.expr = std::move(map), .depth = depth};
}

bool Parser::ParseEntries(absl::string_view end, bool is_map, Expr& expr, int& depth) {
  while (!Peek().Is(end) && !Peek().Is(",")) {
    if (!ParseEntry(is_map, expr, depth)) return false;
    if (!Peek().Is(",") || Peek(1).Is(end)) break;
    Take();
    if (Peek().Is(",")) return FailMismatched(is_map ? kOperand : "IDENTIFIER");
  }
  TakeIf(",");
  return Expect(end);
}

bool Parser::ParseEntry(bool is_map, Expr& expr, int& depth) {
  expr.optional.push_back(TakeIf("?"));
  if (is_map) {
    Part key = ParseExpr();
    if (failed_) return false;
    expr.arguments.push_back(std::move(key.expr));
    depth = std::max(depth, key.depth);
  } else {
    const Token name = Peek();
    if (name.kind != TokenKind::kIdentifier && name.kind != TokenKind::kEscapedIdentifier) {
      return FailMismatched("IDENTIFIER");
    }
    Take();
    expr.fields.push_back(FieldName(name));
  }
  expr.entry_offsets.push_back(Peek().offset);
  if (!Expect(":")) return false;
  Part value = ParseExpr();
  if (failed_) return false;
  expr.arguments.push_back(std::move(value.expr));
  depth = std::max(depth, value.depth);
  return true;
}

// Returns whether the identifiers that follow, joined by dots, are the name of a message: an
// opening brace comes next.
bool Parser::IsMessage() const {
  size_t ahead = 0;
  while (Peek(ahead).Is(".") && Peek(ahead + 1).kind == TokenKind::kIdentifier) ahead += 2;
  return Peek(ahead).Is("{");
}

Parser::Part Parser::ParseIdentifier() {
  const size_t start = Peek().offset;
  const bool leading_dot = TakeIf(".");
  const Token name = Peek();
  if (name.kind != TokenKind::kIdentifier) {
    FailMismatched("IDENTIFIER");
    return {};
  }
  Take();
  if (IsMessage()) return ParseMessage(name, leading_dot);
  const std::string full = absl::StrCat(leading_dot ? "." : "", name.text);
  const bool is_call = Peek().Is("(");
  const size_t open = Peek().offset;
  std::vector<ExprPtr> arguments;
  int depth = 0;
  if (is_call && !ParseArguments(arguments, depth)) return {};
  if (IsReserved(name.text)) {
    return {.expr = Report(start, absl::StrCat("reserved identifier: ", name.text))};
  }
  if (!is_call) return {.expr = Node(ExprKind::kIdent, name.offset, full)};
  return {.expr = Call(open, full, std::move(arguments)), .depth = depth};
}

Parser::Part Parser::ParseMessage(const Token& first, bool leading_dot) {
  std::string name = absl::StrCat(leading_dot ? "." : "", first.text);
  while (TakeIf(".")) absl::StrAppend(&name, ".", Take().text);
  ExprPtr message = Node(ExprKind::kStruct, Take().offset, name);
  int depth = 0;
  if (!ParseEntries("}", /*is_map=*/false, *message, depth)) return {};
  return {.expr = std::move(message), .depth = depth};
}

ExprPtr Parser::ParseNumber(const Token& sign, const Token& token) {
  const bool negative = sign.Is("-");
  if (token.kind == TokenKind::kInt) {
    const std::optional<int64_t> value = ParseIntLiteral(token.text, negative);
    if (!value.has_value()) return Report(sign.offset, "invalid int literal");
    return Constant(sign.offset, *value);
  }
  if (token.kind == TokenKind::kUint) {
    const std::optional<uint64_t> value = ParseUintLiteral(token.text);
    if (!value.has_value()) return Report(sign.offset, "invalid uint literal");
    return Constant(sign.offset, *value);
  }
  const std::optional<double> value = ParseGoDouble(token.text);
  if (!value.has_value()) return Report(sign.offset, "invalid double literal");
  return Constant(sign.offset, negative ? -*value : *value);
}

Parser::Part Parser::ParseLiteral() {
  const Token sign = Peek();
  const bool has_sign = sign.Is("-") && IsNumber(Peek(1));
  const Token token = Peek(has_sign ? 1 : 0);
  switch (token.kind) {
    case TokenKind::kInt:
    case TokenKind::kUint:
    case TokenKind::kDouble:
      next_ += has_sign ? 2 : 1;
      return {.expr = ParseNumber(sign, token)};
    case TokenKind::kString:
    case TokenKind::kBytes:
      break;
    case TokenKind::kTrue:
    case TokenKind::kFalse:
      Take();
      return {.expr = Constant(token.offset, token.kind == TokenKind::kTrue)};
    case TokenKind::kNull:
      Take();
      return {.expr = Constant(token.offset, std::monostate())};
    default:
      FailMismatched(kOperand);
      return {};
  }
  Take();
  const bool is_bytes = token.kind == TokenKind::kBytes;
  absl::StatusOr<std::string> text = Unquote(token.text.substr(is_bytes ? 1 : 0), is_bytes);
  if (!text.ok()) return {.expr = Report(token.offset, text.status().message())};
  if (is_bytes) return {.expr = Constant(token.offset, BytesLiteral{.bytes = *std::move(text)})};
  return {.expr = Constant(token.offset, *std::move(text))};
}

}  // namespace kube::cel::internal
