#include "apimachinery/cel/rules.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/base/text/quantity_text.h"
#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/compile.h"
#include "apimachinery/cel/environment.h"
#include "apimachinery/cel/internal/estimate.h"
#include "apimachinery/cel/internal/schema_size.h"
#include "apimachinery/cel/program.h"
#include "apimachinery/cel/rule_path.h"
#include "apimachinery/cel/type.h"
#include "apimachinery/cel/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::cel {
namespace {

using validation::field::BadValue;
using validation::field::Error;
using validation::field::Path;

constexpr size_t kMaxMessageSize = 5 * 1024;
constexpr absl::string_view kOldSelf = "oldSelf";
// The name of the type of self. No expression can name it.
constexpr absl::string_view kSelfTypeName = "@self";
constexpr absl::string_view kNoBudget =
    "validation failed due to running out of cost budget, no further validation rules will be run";

// Returns the type in the schema; errors of rules show it instead of the value.
absl::string_view JsonType(const Schema& schema) {
  switch (schema.kind) {
    case SchemaKind::kObject:
    case SchemaKind::kMap:
      return "object";
    case SchemaKind::kList:
      return "array";
    case SchemaKind::kString:
    case SchemaKind::kByte:
    case SchemaKind::kDuration:
    case SchemaKind::kDate:
    case SchemaKind::kDateTime:
      return "string";
    case SchemaKind::kInteger:
      return "integer";
    case SchemaKind::kNumber:
      return "number";
    case SchemaKind::kBoolean:
      return "boolean";
    case SchemaKind::kIntOrString:
      return schema.type;
    case SchemaKind::kAny:
    case SchemaKind::kPreserved:
      break;
  }
  return "";
}

// Returns how an error shows a value that its schema does not call a list or an object. It may be
// one nevertheless: a default of an int or string.
BadValue Shown(const unstructured::Value& value) {
  if (value.is_string()) return std::string(*value.text());
  if (value.is_int()) return *value.integer();
  if (value.is_double()) return *value.number();
  if (value.is_bool()) return *value.boolean();
  return validation::field::JsonValue{unstructured::EncodeJson(value).value_or("null")};
}

std::string Trimmed(absl::string_view text) { return std::string(text::TrimGoSpace(text)); }

// Returns how errors name a rule.
std::string NameOf(const Rule& rule) {
  return Trimmed(rule.message.empty() ? rule.rule : rule.message);
}

std::string MessageOf(const Rule& rule) {
  return rule.message.empty() ? absl::StrCat("failed rule: ", NameOf(rule)) : NameOf(rule);
}

bool Mentions(const Ast& ast, absl::string_view variable) {
  bool found = false;
  Visit(*ast.root, [&](const Expr& expr) {
    found = found || (expr.kind == ExprKind::kIdent && expr.name == variable);
  });
  return found;
}

Error ErrorFor(const Rule& rule, const Path& path, BadValue value, const std::string& detail) {
  switch (rule.reason) {
    case RuleReason::kForbidden:
      return Forbidden(path, detail);
    case RuleReason::kRequired:
      return Required(path, detail);
    case RuleReason::kDuplicate:
      return Duplicate(path, std::move(value));
    case RuleReason::kInvalid:
      break;
  }
  return Invalid(path, std::move(value), detail);
}

// What is said about an expression that cannot be used.
struct ExpressionTexts {
  absl::string_view compilation;
  absl::string_view wrong_type;
  absl::string_view instantiation;
};

constexpr ExpressionTexts kRuleTexts = {
    .compilation = "compilation failed",
    .wrong_type = "cel expression must evaluate to a bool",
    .instantiation = "program instantiation failed",
};
constexpr ExpressionTexts kMessageTexts = {
    .compilation = "messageExpression compilation failed",
    .wrong_type = "messageExpression must evaluate to a string",
    .instantiation = "messageExpression instantiation failed",
};

// A compiled expression, and what it can cost.
struct Expression {
  Program program;
  uint64_t cost;
};

// Compiles an expression that must have the type. The errors are what an API server says.
absl::StatusOr<Expression> CompileAs(const std::string& text, const Environment& environment,
                                     const Schema& schema, const Type& type,
                                     const ExpressionTexts& texts, bool& uses_old_self) {
  KUBE_ASSIGN_OR_RETURN(const Ast ast, Compile(text, environment), texts.compilation);
  if (!SameType(*ast.root->type, type)) return absl::InvalidArgumentError(texts.wrong_type);
  uses_old_self = Mentions(ast, kOldSelf);
  KUBE_ASSIGN_OR_RETURN(Program program, Program::Make(ast), texts.instantiation);
  return Expression{.program = std::move(program), .cost = internal::EstimateCost(ast, schema)};
}

}  // namespace

struct RuleSet::Compiled {
  Rule rule;
  std::optional<Program> program;
  std::optional<Program> message;
  // What is wrong with the rule; empty if it is valid.
  std::string defect;
  bool uses_old_self;
  std::string field_path;
  Estimate estimate;
};

struct RuleSet::Rules {
  SchemaPtr schema;
  Environment environment;
  // The same, but oldSelf is an optional value.
  Environment optional_environment;
  std::vector<Compiled> compiled;
  std::vector<RuleDefect> defects;
};

// One evaluation of all rules.
class RuleSet::Run {
 public:
  Run(const Context& ctx, const Rules& rules, const Path& path, const unstructured::Value& self,
      const unstructured::Value* old_self, int64_t budget)
      : ctx_(ctx), rules_(rules), path_(path), self_(self), budget_(budget) {
    const Value value = ToValue(self, *rules.schema);
    variables_.emplace("self", value);
    optional_variables_.emplace("self", value);
    const bool uses_old_self = absl::c_any_of(
        rules.compiled, [](const Compiled& compiled) { return compiled.uses_old_self; });
    has_old_self_ = old_self != nullptr && !old_self->is_null();
    if (!uses_old_self) return;
    if (!has_old_self_) {
      optional_variables_.emplace(std::string(kOldSelf), Value::None());
      return;
    }
    const Value old_value = ToValue(*old_self, *rules.schema);
    variables_.emplace(std::string(kOldSelf), old_value);
    optional_variables_.emplace(std::string(kOldSelf), Value::Optional(old_value));
  }

  absl::StatusOr<Outcome> Evaluate() {
    if (budget_ <= 0) {
      AddInvalid(std::string(kNoBudget));
      budget_ = -1;
    }
    for (const Compiled& compiled : rules_.compiled) {
      if (budget_ < 0) break;
      KUBE_RETURN_IF_ERROR(EvaluateRule(compiled));
    }
    return Outcome{.errors = std::move(errors_), .budget = budget_};
  }

 private:
  // Adds an error of a rule rather than of the value.
  void AddInvalid(const std::string& detail) {
    errors_.push_back({.error = Invalid(path_, std::string(JsonType(*rules_.schema)), detail),
                       .can_be_ratcheted = false});
  }

  // Adds an error that ends the evaluation.
  void Stop(const std::string& detail) {
    AddInvalid(detail);
    budget_ = -1;
  }

  absl::Status EvaluateRule(const Compiled& compiled);
  void AddEvaluationError(const Rule& rule, const absl::Status& status);
  absl::Status AddFailure(const Compiled& compiled);
  absl::StatusOr<std::optional<std::string>> EvaluateMessage(const Compiled& compiled);
  void StopInMessage(const Compiled& compiled, const std::string& detail);
  Path PlaceOf(const Compiled& compiled) const {
    return compiled.field_path.empty() ? path_ : path_.Child(compiled.field_path);
  }

  const Context& ctx_;
  const Rules& rules_;
  const Path& path_;
  const unstructured::Value& self_;
  int64_t budget_;
  bool has_old_self_ = false;
  Variables variables_;
  Variables optional_variables_;
  std::vector<RuleError> errors_;
};

absl::Status RuleSet::Run::EvaluateRule(const Compiled& compiled) {
  const Rule& rule = compiled.rule;
  if (!compiled.defect.empty()) {
    AddInvalid(absl::StrCat("rule compile error: ", compiled.defect));
    return absl::OkStatus();
  }
  if (!compiled.program.has_value()) return absl::OkStatus();
  if (compiled.uses_old_self && !has_old_self_ && !rule.optional_old_self) return absl::OkStatus();
  const Variables& variables = rule.optional_old_self ? optional_variables_ : variables_;
  const Program::Result result = compiled.program->Evaluate(ctx_, variables);
  if (absl::IsCancelled(result.value.status())) return result.value.status();
  if (result.cost > static_cast<uint64_t>(budget_)) {
    Stop(std::string(kNoBudget));
    return absl::OkStatus();
  }
  budget_ -= static_cast<int64_t>(result.cost);
  if (!result.value.ok()) {
    AddEvaluationError(rule, result.value.status());
    return absl::OkStatus();
  }
  return result.value->IsTrue() ? absl::OkStatus() : AddFailure(compiled);
}

void RuleSet::Run::AddEvaluationError(const Rule& rule, const absl::Status& status) {
  const absl::string_view error = status.message();
  const std::string name = NameOf(rule);
  if (absl::IsResourceExhausted(status)) {
    Stop(absl::StrCat("'", error,
                      "': no further validation rules will be run due to call cost exceeds limit "
                      "for rule: ",
                      name));
  } else if (absl::StartsWith(error, "no such overload")) {
    AddInvalid(absl::StrCat("'", error,
                            "': call arguments did not match a supported operator, function or "
                            "macro signature for rule: ",
                            name));
  } else {
    AddInvalid(absl::StrCat(error, " evaluating rule: ", name));
  }
}

absl::Status RuleSet::Run::AddFailure(const Compiled& compiled) {
  std::optional<std::string> message;
  if (compiled.message.has_value()) {
    KUBE_ASSIGN_OR_RETURN(message, EvaluateMessage(compiled));
    if (budget_ < 0) return absl::OkStatus();
  }
  const std::string detail = message.has_value() ? *message : MessageOf(compiled.rule);
  const absl::string_view type = JsonType(*rules_.schema);
  BadValue value = validation::field::OmittedValue();
  if (type != "object" && type != "array") value = Shown(self_);
  errors_.push_back({.error = ErrorFor(compiled.rule, PlaceOf(compiled), std::move(value), detail),
                     .can_be_ratcheted = !compiled.uses_old_self});
  return absl::OkStatus();
}

void RuleSet::Run::StopInMessage(const Compiled& compiled, const std::string& detail) {
  errors_.push_back(
      {.error = Invalid(PlaceOf(compiled), std::string(JsonType(*rules_.schema)), detail),
       .can_be_ratcheted = !compiled.uses_old_self});
  budget_ = -1;
}

// Returns nullopt if the expression gives no message that can be used.
absl::StatusOr<std::optional<std::string>> RuleSet::Run::EvaluateMessage(const Compiled& compiled) {
  const Program::Result result = compiled.message->Evaluate(ctx_, variables_);
  const absl::Status& status = result.value.status();
  if (absl::IsCancelled(status)) return status;
  if (result.cost > static_cast<uint64_t>(budget_)) {
    StopInMessage(compiled,
                  "messageExpression evaluation failed due to running out of cost budget, no "
                  "further validation rules will be run");
    return std::optional<std::string>();
  }
  if (absl::IsResourceExhausted(status)) {
    StopInMessage(compiled,
                  absl::StrCat("no further validation rules will be run due to call cost exceeds "
                               "limit for messageExpression: ",
                               text::Quoted(compiled.rule.message_expression)));
    return std::optional<std::string>();
  }
  budget_ -= static_cast<int64_t>(result.cost);
  if (!result.value.ok() || !result.value->is_string()) return std::optional<std::string>();
  std::string message = Trimmed(result.value->text());
  if (message.empty() || message.size() > kMaxMessageSize || absl::StrContains(message, '\n')) {
    return std::optional<std::string>();
  }
  return std::optional<std::string>(std::move(message));
}

RuleSet::Compiled RuleSet::CompileRule(size_t index, const Rule& rule, const Rules& rules,
                                       std::vector<RuleDefect>& defects) {
  Compiled compiled{.rule = rule,
                    .program = std::nullopt,
                    .message = std::nullopt,
                    .defect = "",
                    .uses_old_self = false,
                    .field_path = "",
                    .estimate = {}};
  if (Trimmed(rule.rule).empty()) return compiled;
  const Environment& environment =
      rule.optional_old_self ? rules.optional_environment : rules.environment;
  absl::StatusOr<Expression> expression = CompileAs(
      rule.rule, environment, *rules.schema, *BoolType(), kRuleTexts, compiled.uses_old_self);
  if (!expression.ok()) {
    compiled.defect = std::string(expression.status().message());
    defects.push_back({.rule = index, .in_message = false, .detail = compiled.defect});
    return compiled;
  }
  compiled.program = std::move(expression->program);
  compiled.estimate.rule = expression->cost;
  if (!rule.message_expression.empty()) {
    bool ignored = false;
    absl::StatusOr<Expression> message = CompileAs(
        rule.message_expression, environment, *rules.schema, *StringType(), kMessageTexts, ignored);
    if (message.ok()) {
      compiled.message = std::move(message->program);
      compiled.estimate.message = message->cost;
    } else {
      defects.push_back(
          {.rule = index, .in_message = true, .detail = std::string(message.status().message())});
    }
  }
  if (!rule.field_path.empty()) {
    const absl::StatusOr<Path> path = ParseRulePath(rule.field_path, *rules.schema);
    if (path.ok()) compiled.field_path = path->ToString();
  }
  return compiled;
}

absl::StatusOr<RuleSet> RuleSet::Compile(std::vector<Rule> rules, SchemaPtr schema) {
  auto types = std::make_shared<const SchemaTypes>(*schema, kSelfTypeName);
  const TypePtr self = types->root();
  if (self == nullptr) {
    return absl::InvalidArgumentError("failed to convert to declType for CEL validation rules");
  }
  Rules compiled;
  compiled.schema = std::move(schema);
  compiled.environment.AddVariable("self", self);
  compiled.environment.SetTypes(std::move(types));
  compiled.optional_environment = compiled.environment;
  compiled.environment.AddVariable(kOldSelf, self);
  compiled.optional_environment.AddVariable(kOldSelf, OptionalType(self));
  for (size_t i = 0; i < rules.size(); ++i) {
    compiled.compiled.push_back(CompileRule(i, rules[i], compiled, compiled.defects));
  }
  return RuleSet(std::make_shared<const Rules>(std::move(compiled)));
}

const std::vector<RuleDefect>& RuleSet::defects() const { return rules_->defects; }

bool RuleSet::UsesOldSelf(size_t rule) const {
  return rule < rules_->compiled.size() && rules_->compiled[rule].uses_old_self;
}

RuleSet::Estimate RuleSet::EstimateOf(size_t rule) const {
  return rule < rules_->compiled.size() ? rules_->compiled[rule].estimate : Estimate();
}

uint64_t RuleSet::MaxCardinality() const {
  const int64_t size = internal::MinSerializedSize(*rules_->schema).value_or(0);
  // Elements of a list have a comma between them.
  return static_cast<uint64_t>(internal::kMaxRequestSize / (size + 1));
}

absl::StatusOr<RuleSet::Outcome> RuleSet::Evaluate(const Context& ctx, const Path& path,
                                                   const unstructured::Value& self,
                                                   const unstructured::Value* old_self,
                                                   int64_t budget) const {
  if (self.is_null() || rules_->compiled.empty()) return Outcome{.errors = {}, .budget = budget};
  return Run(ctx, *rules_, path, self, old_self, budget).Evaluate();
}

}  // namespace kube::cel
