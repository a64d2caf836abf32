#include "apimachinery/cel/internal/checker.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/cel/internal/unifier.h"

namespace kube::cel::internal {
namespace {

// More defects are not looked for.
constexpr size_t kMaxIssues = 1'000;

// The function that only some environments have.
constexpr absl::string_view kEscapeKey = "jsonpatch.escapeKey";

using NamedTypes = absl::flat_hash_map<std::string, TypePtr>;

NamedTypes MakeNamedTypes() {
  NamedTypes types;
  for (const TypePtr& type :
       {BoolType(), BytesType(), DoubleType(), DurationType(), IntType(), NullType(), StringType(),
        TimestampType(), UintType(), ListType(DynType()), MapType(DynType(), DynType()),
        std::make_shared<const Type>(Type{.kind = TypeKind::kType, .name = "type"}),
        OpaqueType("optional_type"), OpaqueType("net.IP"), OpaqueType("net.CIDR")}) {
    types.emplace(type->name, type);
  }
  return types;
}

bool IsDyn(const Type& type) { return type.kind == TypeKind::kDyn; }

// Returns the type of the value if the type is an optional one; otherwise null.
TypePtr ValueOfOptional(const Type& type) {
  return IsOptional(type) && !type.parameters.empty() ? type.parameters[0] : nullptr;
}

struct LiteralType {
  const TypePtr& operator()(std::monostate) const { return NullType(); }
  const TypePtr& operator()(bool) const { return BoolType(); }
  const TypePtr& operator()(int64_t) const { return IntType(); }
  const TypePtr& operator()(uint64_t) const { return UintType(); }
  const TypePtr& operator()(double) const { return DoubleType(); }
  const TypePtr& operator()(const std::string&) const { return StringType(); }
  const TypePtr& operator()(const BytesLiteral&) const { return BytesType(); }
};

class Checker {
 public:
  Checker(const Environment& environment, const Functions& functions, Ast& ast)
      : environment_(environment), functions_(functions), source_(ast.source), root_(*ast.root) {}

  std::vector<Issue> Run();

 private:
  struct Local {
    std::string name;
    TypePtr type;
  };

  void Check(Expr& expr);
  bool ResolveIdent(absl::string_view name, Expr& expr);
  void CheckIdent(Expr& expr);
  void CheckSelect(Expr& expr);
  TypePtr FieldType(const Expr& expr, Expr& operand, absl::string_view field, bool optional);
  TypePtr FieldOfObject(const Expr& expr, const Type& object, absl::string_view field);
  void CheckCall(Expr& expr);
  void CheckOptionalSelect(Expr& expr);
  bool CheckNamespacedFunction(Expr& expr);
  void ResolveOverload(Expr& expr, const Function& function);
  bool CheckLogic(const Expr& expr);
  void CheckList(Expr& expr);
  void CheckMap(Expr& expr);
  void CheckStruct(Expr& expr);
  void CheckObject(const TypeProvider& types, Expr& expr);
  void CheckComprehension(Expr& expr);
  void AddLoopVariables(const Comprehension& loop);
  // Returns the type of an element or a value, which is the inner type if it is optional.
  TypePtr EntryType(const Expr& entry, bool optional);
  // Returns the type of entries after one more. Entries of several types are dyn: it is
  // ValidateLiterals that refuses them, but for the arguments of format().
  TypePtr Join(const TypePtr& previous, const TypePtr& current);
  void ExpectType(const Expr& expr, const TypePtr& type);
  void Finish(Expr& expr);

  void Report(size_t offset, std::string message);
  void ReportUndeclared(const Expr& expr, absl::string_view name);
  void ReportMismatch(const Expr& expr, const Type& expected, const Type& actual);
  void ReportNoOverload(const Expr& expr, const std::vector<TypePtr>& types);

  const Environment& environment_;
  const Functions& functions_;
  const Source& source_;
  Expr& root_;
  Unifier unifier_;
  // The variables of the loops around the current node, the innermost last.
  std::vector<Local> locals_;
  std::vector<Issue> issues_;
};

std::vector<Issue> Checker::Run() {
  Check(root_);
  if (issues_.empty()) Finish(root_);
  if (unifier_.exhausted()) Report(root_.offset, "expression has types that are too large");
  return std::move(issues_);
}

void Checker::Check(Expr& expr) {
  expr.type = ErrorType();
  if (issues_.size() >= kMaxIssues || unifier_.exhausted()) return;
  switch (expr.kind) {
    case ExprKind::kUnspecified:
      Report(expr.offset, "unexpected unspecified type: ");
      return;
    case ExprKind::kLiteral:
      expr.type = std::visit(LiteralType(), expr.literal);
      return;
    case ExprKind::kIdent:
      return CheckIdent(expr);
    case ExprKind::kSelect:
      return CheckSelect(expr);
    case ExprKind::kCall:
      return CheckCall(expr);
    case ExprKind::kList:
      return CheckList(expr);
    case ExprKind::kMap:
      return CheckMap(expr);
    case ExprKind::kStruct:
      return CheckStruct(expr);
    case ExprKind::kComprehension:
      return CheckComprehension(expr);
  }
}

// Makes the node an identifier if there is a variable or a type with this name.
bool Checker::ResolveIdent(absl::string_view name, Expr& expr) {
  absl::ConsumePrefix(&name, ".");
  TypePtr type;
  bool names_type = false;
  for (auto local = locals_.rbegin(); local != locals_.rend() && type == nullptr; ++local) {
    if (local->name == name) type = local->type;
  }
  if (type == nullptr) type = environment_.FindVariable(name);
  if (type == nullptr) {
    type = FindNamedType(name);
    if (type == nullptr) return false;
    type = TypeOfType(std::move(type));
    names_type = true;
  }
  expr.name = std::string(name);
  expr.kind = ExprKind::kIdent;
  expr.operand = nullptr;
  expr.type = std::move(type);
  expr.names_type = names_type;
  return true;
}

void Checker::CheckIdent(Expr& expr) {
  const std::string name = expr.name;
  if (!ResolveIdent(name, expr)) ReportUndeclared(expr, name);
}

void Checker::CheckSelect(Expr& expr) {
  const std::string qualified = QualifiedName(expr);
  if (!qualified.empty() && ResolveIdent(qualified, expr)) return;
  const TypePtr type = FieldType(expr, *expr.operand, expr.name, /*optional=*/false);
  expr.type = expr.test_only ? BoolType() : unifier_.Substitute(type, false);
}

TypePtr Checker::FieldType(const Expr& expr, Expr& operand, absl::string_view field,
                           bool optional) {
  Check(operand);
  TypePtr target = unifier_.Substitute(operand.type, false);
  if (TypePtr value = ValueOfOptional(*target)) {
    target = std::move(value);
    optional = true;
  }
  TypePtr type = DynType();
  switch (target->kind) {
    case TypeKind::kMap:
      type = target->parameters[1];
      break;
    case TypeKind::kStruct:
      type = FieldOfObject(expr, *target, field);
      break;
    case TypeKind::kParam:
      // Keeps the variable from getting a type that could be wrong.
      unifier_.Assignable(DynType(), target);
      break;
    case TypeKind::kDyn:
    case TypeKind::kError:
      break;
    default:
      Report(expr.offset,
             absl::StrCat("type '", TypeText(*target), "' does not support field selection"));
  }
  return optional ? OptionalType(std::move(type)) : type;
}

TypePtr Checker::FieldOfObject(const Expr& expr, const Type& object, absl::string_view field) {
  const TypeProvider* types = environment_.types();
  if (types == nullptr || !types->HasStruct(object.name)) {
    Report(expr.offset, absl::StrCat("unexpected failed resolution of '", object.name, "'"));
    return ErrorType();
  }
  TypePtr type = types->FindField(object.name, field);
  if (type != nullptr) return type;
  Report(expr.offset, absl::StrCat("undefined field '", field, "'"));
  return ErrorType();
}

void Checker::CheckOptionalSelect(Expr& expr) {
  const bool is_field = expr.operand == nullptr && expr.arguments.size() == 2 &&
                        std::holds_alternative<std::string>(expr.arguments[1]->literal);
  if (!is_field) return Report(expr.offset, "unsupported optional field selection");
  const std::string field = *std::get_if<std::string>(&expr.arguments[1]->literal);
  const TypePtr type = FieldType(expr, *expr.arguments[0], field, /*optional=*/true);
  expr.arguments[1]->type = StringType();
  expr.type = unifier_.Substitute(type, false);
  expr.overloads = {"select_optional_field"};
}

// Makes a call such as optional.of(x) a function without a receiver. Returns false if there is no
// such function.
bool Checker::CheckNamespacedFunction(Expr& expr) {
  const std::string prefix = QualifiedName(*expr.operand);
  if (prefix.empty()) return false;
  const std::string name = absl::StrCat(prefix, ".", expr.name);
  const Function* function = functions_.Find(absl::StripPrefix(name, "."));
  if (function == nullptr) return false;
  if (function->name == kEscapeKey && !environment_.json_patch()) return false;
  expr.name = function->name;
  expr.operand = nullptr;
  ResolveOverload(expr, *function);
  return true;
}

void Checker::CheckCall(Expr& expr) {
  if (expr.name == "_?._") return CheckOptionalSelect(expr);
  for (const ExprPtr& argument : expr.arguments) Check(*argument);
  if (expr.operand != nullptr) {
    if (CheckNamespacedFunction(expr)) return;
    Check(*expr.operand);
  }
  const Function* function = functions_.Find(absl::StripPrefix(expr.name, "."));
  if (function == nullptr) return ReportUndeclared(expr, expr.name);
  expr.name = function->name;
  ResolveOverload(expr, *function);
}

bool Checker::CheckLogic(const Expr& expr) {
  bool fits = true;
  for (const ExprPtr& argument : expr.arguments) {
    if (unifier_.Assignable(argument->type, BoolType())) continue;
    ReportMismatch(*argument, *BoolType(), *argument->type);
    fits = false;
  }
  return fits;
}

void Checker::ResolveOverload(Expr& expr, const Function& function) {
  expr.overloads.clear();
  if (function.name == "_&&_" || function.name == "_||_") {
    expr.overloads = {function.overloads[0].id};
    if (CheckLogic(expr)) expr.type = BoolType();
    return;
  }
  std::vector<TypePtr> types;
  if (expr.operand != nullptr) types.push_back(expr.operand->type);
  for (const ExprPtr& argument : expr.arguments) types.push_back(argument->type);
  TypePtr result;
  for (const Overload& overload : function.overloads) {
    if (overload.is_member != (expr.operand != nullptr)) continue;
    std::vector<TypePtr> signature = overload.arguments;
    signature.push_back(overload.result);
    signature = unifier_.Instantiate(signature);
    const TypePtr result_type = std::move(signature.back());
    signature.pop_back();
    if (!unifier_.AllAssignable(types, signature)) continue;
    expr.overloads.push_back(overload.id);
    TypePtr this_result = unifier_.Substitute(result_type, false);
    if (result == nullptr) {
      result = std::move(this_result);
    } else if (!IsDyn(*result) && !unifier_.IsExact(*this_result, *result)) {
      result = DynType();
    }
  }
  if (result == nullptr) return ReportNoOverload(expr, types);
  expr.type = std::move(result);
}

TypePtr Checker::EntryType(const Expr& entry, bool optional) {
  if (!optional) return entry.type;
  if (TypePtr value = ValueOfOptional(*entry.type)) return value;
  if (!IsDyn(*entry.type)) ReportMismatch(entry, *OptionalType(entry.type), *entry.type);
  return entry.type;
}

TypePtr Checker::Join(const TypePtr& previous, const TypePtr& current) {
  if (previous == nullptr) return current;
  if (unifier_.Assignable(previous, current)) return unifier_.MostGeneral(previous, current);
  return DynType();
}

void Checker::CheckList(Expr& expr) {
  TypePtr element;
  for (size_t i = 0; i < expr.arguments.size(); ++i) {
    Check(*expr.arguments[i]);
    element = Join(element, EntryType(*expr.arguments[i], expr.optional[i]));
  }
  expr.type = ListType(element != nullptr ? std::move(element) : unifier_.NewVariable());
}

void Checker::CheckMap(Expr& expr) {
  TypePtr key;
  TypePtr value;
  for (size_t i = 0; i + 1 < expr.arguments.size(); i += 2) {
    Expr& entry_key = *expr.arguments[i];
    Expr& entry_value = *expr.arguments[i + 1];
    Check(entry_key);
    key = Join(key, entry_key.type);
    Check(entry_value);
    value = Join(value, EntryType(entry_value, expr.optional[i / 2]));
  }
  if (key == nullptr) {
    key = unifier_.NewVariable();
    value = unifier_.NewVariable();
  }
  expr.type = MapType(std::move(key), std::move(value));
}

void Checker::CheckObject(const TypeProvider& types, Expr& expr) {
  for (size_t i = 0; i < expr.arguments.size(); ++i) {
    Expr& argument = *expr.arguments[i];
    Check(argument);
    const TypePtr field = types.FindField(expr.name, expr.fields[i]);
    if (field == nullptr) {
      Report(expr.entry_offsets[i], absl::StrCat("undefined field '", expr.fields[i], "'"));
      continue;
    }
    const TypePtr value = EntryType(argument, expr.optional[i]);
    if (unifier_.Assignable(field, value)) continue;
    Report(expr.entry_offsets[i],
           absl::StrCat("expected type of field '", expr.fields[i], "' is '", TypeText(*field),
                        "' but provided type is '", TypeText(*value), "'"));
  }
  expr.type = StructType(expr.name);
}

// Most environments have no types that an expression could make an object of.
void Checker::CheckStruct(Expr& expr) {
  const TypeProvider* const types = environment_.types();
  const std::string name(absl::StripPrefix(expr.name, "."));
  if (types != nullptr && types->CanMake(name)) {
    expr.name = name;
    return CheckObject(*types, expr);
  }
  Expr type;
  if (!ResolveIdent(expr.name, type)) return ReportUndeclared(expr, expr.name);
  if (type.type->kind != TypeKind::kType) {
    Report(expr.offset, absl::StrCat("'", type.type->name, "' is not a type"));
  } else {
    Report(expr.offset,
           absl::StrCat("'", type.type->parameters[0]->name, "' is not a message type"));
  }
  for (size_t i = 0; i < expr.arguments.size(); ++i) {
    Check(*expr.arguments[i]);
    Report(expr.entry_offsets[i],
           absl::StrCat("unexpected failed resolution of '", type.name, "'"));
  }
}

void Checker::AddLoopVariables(const Comprehension& loop) {
  const TypePtr range = unifier_.Substitute(loop.range->type, false);
  TypePtr first = DynType();
  TypePtr second = DynType();
  switch (range->kind) {
    case TypeKind::kList:
      first = loop.variable2.empty() ? range->parameters[0] : IntType();
      second = range->parameters[0];
      break;
    case TypeKind::kMap:
      first = range->parameters[0];
      second = range->parameters[1];
      break;
    case TypeKind::kDyn:
    case TypeKind::kError:
    case TypeKind::kParam:
      unifier_.Assignable(DynType(), range);
      break;
    default:
      Report(loop.range->offset,
             absl::StrCat("expression of type '", TypeText(*range),
                          "' cannot be range of a comprehension (must be list, map, or dynamic)"));
      first = ErrorType();
      second = ErrorType();
  }
  locals_.push_back({.name = loop.variable, .type = std::move(first)});
  if (!loop.variable2.empty()) {
    locals_.push_back({.name = loop.variable2, .type = std::move(second)});
  }
}

void Checker::ExpectType(const Expr& expr, const TypePtr& type) {
  if (!unifier_.Assignable(type, expr.type)) ReportMismatch(expr, *type, *expr.type);
}

void Checker::CheckComprehension(Expr& expr) {
  Comprehension& loop = *expr.comprehension;
  Check(*loop.range);
  Check(*loop.initial);
  const size_t outside = locals_.size();
  const TypePtr accumulator = loop.initial->type;
  locals_.push_back({.name = loop.accumulator, .type = accumulator});
  AddLoopVariables(loop);
  Check(*loop.condition);
  ExpectType(*loop.condition, BoolType());
  Check(*loop.step);
  ExpectType(*loop.step, accumulator);
  locals_.resize(outside + 1);
  Check(*loop.result);
  locals_.resize(outside);
  expr.type = unifier_.Substitute(loop.result->type, false);
}

// Puts what is known at the end into the types of all nodes.
void Checker::Finish(Expr& expr) {
  expr.type = unifier_.Substitute(expr.type, true);
  if (expr.operand != nullptr) Finish(*expr.operand);
  for (const ExprPtr& argument : expr.arguments) Finish(*argument);
  if (expr.comprehension == nullptr) return;
  Comprehension& loop = *expr.comprehension;
  for (const ExprPtr* part :
       {&loop.range, &loop.initial, &loop.condition, &loop.step, &loop.result}) {
    Finish(**part);
  }
}

void Checker::Report(size_t offset, std::string message) {
  issues_.push_back({.location = source_.LocationOf(offset), .message = std::move(message)});
}

void Checker::ReportUndeclared(const Expr& expr, absl::string_view name) {
  Report(expr.offset, absl::StrCat("undeclared reference to '", name, "' (in container '')"));
}

void Checker::ReportMismatch(const Expr& expr, const Type& expected, const Type& actual) {
  Report(expr.offset, absl::StrCat("expected type '", TypeText(expected), "' but found '",
                                   TypeText(actual), "'"));
}

void Checker::ReportNoOverload(const Expr& expr, const std::vector<TypePtr>& types) {
  std::string signature;
  size_t next = 0;
  if (expr.operand != nullptr) {
    absl::StrAppend(&signature, TypeText(*unifier_.Substitute(types[next++], true)), ".");
  }
  const size_t first = next;
  signature += "(";
  for (; next < types.size(); ++next) {
    absl::StrAppend(&signature, next == first ? "" : ", ",
                    TypeText(*unifier_.Substitute(types[next], true)));
  }
  Report(expr.offset, absl::StrCat("found no matching overload for '", expr.name, "' applied to '",
                                   signature, ")'"));
}

}  // namespace

std::vector<Issue> CheckTypes(const Environment& environment, const Functions& functions,
                              Ast& ast) {
  return Checker(environment, functions, ast).Run();
}

TypePtr FindNamedType(absl::string_view name) {
  static base::NoDestructor<const NamedTypes> types(MakeNamedTypes());
  const auto found = types->find(name);
  return found == types->end() ? nullptr : found->second;
}

}  // namespace kube::cel::internal
