// Each kind of expressions is evaluated in a scope of its own: the variables of the policy are
// computed when they are first read there, and what they cost counts to the expression that reads
// them. A scope has a budget; what exceeds it ends the policy.

#include "apiserver/policies/policy_evaluation.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/cel/program.h"
#include "apimachinery/cel/schema.h"
#include "apimachinery/cel/value.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/policies/policy_set.h"

namespace kube::apiserver::internal {
namespace {

// What all expressions of a kind may cost together (kube-apiserver: `RuntimeCELCostBudget`,
// `RuntimeCELCostBudgetMatchConditions`).
constexpr uint64_t kBudget = 10'000'000;
constexpr uint64_t kConditionBudget = 2'500'000;
constexpr size_t kMaxMessageBytes = 5 * 1024;
// How many variables may be computed within each other. Upstream has no limit, as its stacks grow.
constexpr int kMaxDepth = 64;

constexpr char kOutOfBudget[] =
    "validation failed due to running out of cost budget, no further validation rules will be run";

// The value of `variables`. Unlike other maps it computes its values when they are first read, on
// the one thread that evaluates (kube-apiserver: `lazy.MapValue`).
class LazyVariables final : public cel::MapValue {
 public:
  // All must outlive this. `scope` has what the expressions of the variables refer to, also this.
  LazyVariables(const Context& ctx, const std::vector<PolicyVariable>& variables,
                const cel::Variables& scope)
      : ctx_(ctx), variables_(variables), scope_(scope) {}

  size_t size() const override { return variables_.size(); }

  std::optional<cel::Value> Find(const cel::Value& key) const override {
    if (!key.is_string()) return std::nullopt;
    const auto known = known_.find(key.text());
    if (known != known_.end()) return known->second;
    // As upstream, of variables with the same name the last one counts.
    for (auto each = variables_.rbegin(); each != variables_.rend(); ++each) {
      if (each->name == key.text()) return Compute(*each);
    }
    return std::nullopt;
  }

  std::vector<cel::Value> Keys() const override {
    std::vector<cel::Value> keys;
    for (const PolicyVariable& each : variables_) keys.push_back(cel::Value::FromView(each.name));
    return keys;
  }

  // Returns what the variables have cost since the last call.
  uint64_t TakeCost() const { return std::exchange(cost_, 0); }
  // Drops the values, which may contain this.
  void Forget() const { known_.clear(); }

 private:
  cel::Value Compute(const PolicyVariable& variable) const {
    const std::string what =
        absl::StrCat("composited variable ", text::Quoted(variable.name), " fails to ");
    // A second variable with the name can refer to the first one, which nobody sees.
    known_[variable.name] = cel::Value::Error(absl::StrCat(what, "evaluate: it refers to itself"));
    const CompiledExpression& expression = variable.expression;
    cel::Value value;
    if (depth_ >= kMaxDepth) {
      value = cel::Value::Error(absl::StrCat(what, "evaluate: variables are nested too deep"));
    } else if (!expression.program.ok()) {
      value =
          cel::Value::Error(absl::StrCat(what, "compile: ", expression.program.status().message()));
    } else {
      ++depth_;
      cel::Program::Result result = expression.program->Evaluate(ctx_, scope_);
      --depth_;
      cost_ += result.cost;
      value = result.value.ok() ? *std::move(result.value)
                                : cel::Value::Error(absl::StrCat(
                                      what, "evaluate: ", result.value.status().message()));
    }
    known_[variable.name] = value;
    return value;
  }

  const Context& ctx_;
  const std::vector<PolicyVariable>& variables_;
  const cel::Variables& scope_;
  mutable std::map<std::string, cel::Value, std::less<>> known_;
  mutable uint64_t cost_ = 0;
  mutable int depth_ = 0;
};

// The value of an expression, or its error.
struct Evaluation {
  cel::Value value = {};
  std::string error = {};
};

// See above. Thread-compatible.
class Scope {
 public:
  struct Options {
    bool authorizer = false;
    const unstructured::Value* request = nullptr;
    const unstructured::Value* namespace_object = nullptr;
  };

  Scope(const Context& ctx, const Policy& policy, const PolicyInput& input, const Options& options)
      : ctx_(ctx), lazy_(std::make_shared<const LazyVariables>(ctx, policy.variables, variables_)) {
    variables_.emplace("object", cel::ToValue(input.object));
    variables_.emplace("oldObject", cel::ToValue(input.old_object));
    variables_.emplace("request", cel::ToValue(*options.request));
    variables_.emplace("namespaceObject", cel::ToValue(*options.namespace_object));
    variables_.emplace("params", cel::ToValue(input.params));
    variables_.emplace("variables", cel::Value::FromMap(lazy_));
    if (!options.authorizer) return;
    variables_.emplace("authorizer", input.authorizer);
    variables_.emplace("authorizer.requestResource", input.request_resource);
  }
  ~Scope() { lazy_->Forget(); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  // Returns nullopt if the budget is exceeded; subtracts the cost from it otherwise.
  std::optional<Evaluation> Evaluate(const CompiledExpression& expression, uint64_t& budget) const {
    if (!expression.program.ok()) {
      return Evaluation{
          .error = absl::StrCat("compilation error: ", expression.program.status().message())};
    }
    cel::Program::Result result = expression.program->Evaluate(ctx_, variables_);
    const uint64_t cost = lazy_->TakeCost() + result.cost;
    if (cost > budget) return std::nullopt;
    budget -= cost;
    if (result.value.ok()) return Evaluation{.value = *std::move(result.value)};
    return Evaluation{.error =
                          absl::StrCat("expression '", expression.text,
                                       "' resulted in error: ", result.value.status().message())};
  }

 private:
  const Context& ctx_;
  cel::Variables variables_;
  const std::shared_ptr<const LazyVariables> lazy_;
};

// ---- conditions

PolicyConditions EvaluateConditions(const Context& ctx, const Policy& policy,
                                    const PolicyInput& input) {
  if (policy.conditions.empty()) return {.hold = true};
  // As upstream, conditions do not get the namespace.
  const unstructured::Value none = unstructured::Value();
  const Scope scope(
      ctx, policy, input,
      {.authorizer = true, .request = &input.condition_request, .namespace_object = &none});
  uint64_t budget = kConditionBudget;
  bool any_false = false;
  std::vector<absl::Status> errors;
  for (const CompiledExpression& condition : policy.conditions) {
    const std::optional<Evaluation> result = scope.Evaluate(condition, budget);
    if (!result.has_value()) return {.error = kOutOfBudget};
    if (!result->error.empty()) {
      errors.push_back(absl::InvalidArgumentError(result->error));
    } else if (result->value.IsFalse()) {
      any_false = true;
    }
  }
  if (any_false) return {.hold = false};
  if (errors.empty()) return {.hold = true};
  return {.error = std::string(base::JoinErrors(errors).message())};
}

// ---- validations

// Returns what a message's expression says, or "" if that cannot be told to anybody.
std::string UsableMessage(const std::optional<Evaluation>& message) {
  if (!message.has_value() || !message->error.empty() || !message->value.is_string()) return "";
  const std::string text(absl::StripAsciiWhitespace(message->value.text()));
  const bool usable = text.size() <= kMaxMessageBytes && text.find('\n') == std::string::npos;
  return usable ? text : "";
}

std::string MessageOf(const PolicyValidation& validation,
                      const std::optional<Evaluation>& message) {
  const std::string told = UsableMessage(message);
  if (!told.empty()) return told;
  const std::string written(absl::StripAsciiWhitespace(validation.message));
  if (!written.empty()) return written;
  return absl::StrCat("failed expression: ",
                      absl::StripAsciiWhitespace(validation.expression.text));
}

// The results of the expressions for messages: one for each validation, nullopt for those without.
struct Messages {
  std::vector<std::optional<Evaluation>> all = {};
  bool out_of_budget = false;
};

Messages EvaluateMessages(const Scope& scope, const Policy& policy, uint64_t budget) {
  Messages messages;
  for (const PolicyValidation& validation : policy.validations) {
    messages.all.emplace_back();
    if (!validation.message_expression.has_value()) continue;
    messages.all.back() = scope.Evaluate(*validation.message_expression, budget);
    if (messages.all.back().has_value()) continue;
    messages.out_of_budget = true;
    return messages;
  }
  return messages;
}

PolicyResult EvaluateValidations(const Context& ctx, const Policy& policy,
                                 const PolicyInput& input) {
  PolicyResult result;
  const auto fail = [&](std::string error) {
    if (!policy.ignores_failures) result.denials.push_back({.message = std::move(error)});
  };
  const Scope scope(
      ctx, policy, input,
      {.authorizer = true, .request = &input.request, .namespace_object = &input.namespace_object});
  const Scope message_scope(ctx, policy, input,
                            {.authorizer = false,
                             .request = &input.request,
                             .namespace_object = &input.namespace_object});
  uint64_t budget = kBudget;
  std::vector<Evaluation> values;
  for (const PolicyValidation& validation : policy.validations) {
    std::optional<Evaluation> value = scope.Evaluate(validation.expression, budget);
    if (!value.has_value()) {
      fail(kOutOfBudget);
      return result;
    }
    values.push_back(*std::move(value));
  }
  const Messages messages = EvaluateMessages(message_scope, policy, budget);
  for (size_t i = 0; i < values.size(); ++i) {
    const PolicyValidation& validation = policy.validations[i];
    if (!values[i].error.empty()) {
      fail(values[i].error);
    } else if (messages.out_of_budget) {
      fail(absl::StrCat("failed messageExpression: ", kOutOfBudget));
    } else if (!values[i].value.IsTrue()) {
      result.denials.push_back(
          {.message = MessageOf(validation, messages.all[i]),
           .reason = validation.reason.empty() ? "Invalid" : validation.reason});
    }
  }
  return result;
}

// ---- annotations

// Appends the errors. Nothing else is done with audit annotations here, since there is no audit
// log.
void EvaluateAnnotations(const Context& ctx, const Policy& policy, const PolicyInput& input,
                         PolicyResult& result) {
  if (policy.annotations.empty()) return;
  const Scope scope(ctx, policy, input,
                    {.authorizer = false,
                     .request = &input.request,
                     .namespace_object = &input.namespace_object});
  uint64_t budget = kBudget;
  for (const CompiledExpression& annotation : policy.annotations) {
    const std::optional<Evaluation> value = scope.Evaluate(annotation, budget);
    if (!value.has_value()) {
      // As upstream, this takes the place of all other results.
      result = PolicyResult();
      if (!policy.ignores_failures) result.denials.push_back({.message = kOutOfBudget});
      return;
    }
    if (!value->error.empty() && !policy.ignores_failures) {
      result.annotation_errors.push_back(value->error);
    }
  }
}

}  // namespace

PolicyConditions EvaluatePolicyConditions(const Context& ctx, const Policy& policy,
                                          const PolicyInput& input) {
  return EvaluateConditions(ctx, policy, input);
}

absl::Status EvaluateMutation(const Context& ctx, const Policy& policy,
                              const CompiledExpression& expression, const PolicyInput& input,
                              absl::FunctionRef<absl::Status(const cel::Value& value)> use) {
  KUBE_RETURN_IF_ERROR(expression.program.status());
  const Scope scope(
      ctx, policy, input,
      {.authorizer = true, .request = &input.request, .namespace_object = &input.namespace_object});
  uint64_t budget = kBudget;
  const std::optional<Evaluation> result = scope.Evaluate(expression, budget);
  if (!result.has_value()) return absl::ResourceExhaustedError(kOutOfBudget);
  if (!result->error.empty()) return absl::InvalidArgumentError(result->error);
  return use(result->value);
}

PolicyResult EvaluatePolicy(const Context& ctx, const Policy& policy, const PolicyInput& input) {
  PolicyResult result;
  const PolicyConditions conditions = EvaluateConditions(ctx, policy, input);
  if (!conditions.error.empty()) {
    if (!policy.ignores_failures) result.denials.push_back({.message = conditions.error});
    return result;
  }
  if (!conditions.hold) return result;
  result = EvaluateValidations(ctx, policy, input);
  EvaluateAnnotations(ctx, policy, input, result);
  return result;
}

}  // namespace kube::apiserver::internal
