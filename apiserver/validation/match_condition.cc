#include "apiserver/validation/match_condition.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/base/status.h"
#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/compile.h"
#include "apimachinery/cel/environment.h"
#include "apimachinery/cel/program.h"
#include "apimachinery/cel/schema.h"
#include "apimachinery/cel/type.h"
#include "apimachinery/cel/value.h"

namespace kube::apiserver::internal {
namespace {

using cel::TypePtr;

// What all conditions of a webhook may cost together (kube-apiserver:
// `RuntimeCELCostBudgetMatchConditions`).
constexpr uint64_t kBudget = 2'500'000;

constexpr char kRequest[] = "kubernetes.AdmissionRequest";
constexpr char kUser[] = "kubernetes.UserInfo";
constexpr char kKind[] = "kubernetes.GroupVersionKind";
constexpr char kResource[] = "kubernetes.GroupVersionResource";
constexpr char kNamespace[] = "kubernetes.Namespace";
constexpr char kNamespaceMeta[] = "kubernetes.NamespaceMetadata";
constexpr char kNamespaceSpec[] = "kubernetes.NamespaceSpec";
constexpr char kNamespaceStatus[] = "kubernetes.NamespaceStatus";
constexpr char kNamespaceCondition[] = "kubernetes.NamespaceCondition";

using Fields = std::map<std::string, TypePtr, std::less<>>;

// The types that upstream declares for the request and its namespace (kube-apiserver:
// `BuildRequestType`, `BuildNamespaceType`).
class AdmissionTypes final : public cel::TypeProvider {
 public:
  AdmissionTypes() {
    const TypePtr& text = cel::StringType();
    const TypePtr texts = cel::ListType(text);
    structs_[kKind] = {{"group", text}, {"version", text}, {"kind", text}};
    structs_[kResource] = {{"group", text}, {"version", text}, {"resource", text}};
    structs_[kUser] = {
        {"username", text}, {"uid", text}, {"groups", texts}, {"extra", cel::MapType(text, texts)}};
    structs_[kRequest] = {{"kind", cel::StructType(kKind)},
                          {"resource", cel::StructType(kResource)},
                          {"subResource", text},
                          {"requestKind", cel::StructType(kKind)},
                          {"requestResource", cel::StructType(kResource)},
                          {"requestSubResource", text},
                          {"name", text},
                          {"namespace", text},
                          {"operation", text},
                          {"userInfo", cel::StructType(kUser)},
                          {"dryRun", cel::BoolType()},
                          {"options", cel::DynType()}};
    AddNamespace(text, texts);
  }

  bool HasStruct(absl::string_view name) const override { return structs_.count(name) != 0; }

  TypePtr FindField(absl::string_view struct_name, absl::string_view field) const override {
    const auto fields = structs_.find(struct_name);
    if (fields == structs_.end()) return nullptr;
    const auto found = fields->second.find(field);
    return found == fields->second.end() ? nullptr : found->second;
  }

 private:
  void AddNamespace(const TypePtr& text, const TypePtr& texts) {
    const TypePtr labels = cel::MapType(text, text);
    const TypePtr& time = cel::TimestampType();
    structs_[kNamespaceSpec] = {{"finalizers", texts}};
    structs_[kNamespaceCondition] = {{"status", text},
                                     {"type", text},
                                     {"lastTransitionTime", time},
                                     {"message", text},
                                     {"reason", text}};
    structs_[kNamespaceStatus] = {
        {"conditions", cel::ListType(cel::StructType(kNamespaceCondition))}, {"phase", text}};
    structs_[kNamespaceMeta] = {{"name", text},
                                {"generateName", text},
                                {"namespace", text},
                                {"labels", labels},
                                {"annotations", labels},
                                {"UID", text},
                                {"creationTimestamp", time},
                                {"deletionGracePeriodSeconds", cel::IntType()},
                                {"deletionTimestamp", time},
                                {"generation", cel::IntType()},
                                {"resourceVersion", text},
                                {"finalizers", texts}};
    structs_[kNamespace] = {{"metadata", cel::StructType(kNamespaceMeta)},
                            {"spec", cel::StructType(kNamespaceSpec)},
                            {"status", cel::StructType(kNamespaceStatus)}};
  }

  std::map<std::string, Fields, std::less<>> structs_;
};

cel::Environment MakeEnvironment() {
  cel::Environment environment;
  environment.AddVariable("object", cel::DynType());
  environment.AddVariable("oldObject", cel::DynType());
  environment.AddVariable("request", cel::StructType(kRequest));
  environment.AddVariable("namespaceObject", cel::StructType(kNamespace));
  environment.SetTypes(std::make_shared<const AdmissionTypes>());
  return environment;
}

const cel::Environment& MatchEnvironment() {
  static base::NoDestructor<cel::Environment> environment(MakeEnvironment());
  return *environment;
}

// Returns the errors as upstream joins them: alone, or as "[a, b]".
absl::Status Joined(const std::vector<absl::Status>& errors) {
  const absl::Status joined = base::JoinErrors(errors);
  return absl::InvalidArgumentError(joined.message());
}

}  // namespace

absl::StatusOr<cel::Program> CompileMatchCondition(absl::string_view expression) {
  KUBE_ASSIGN_OR_RETURN(const cel::Ast ast, cel::Compile(expression, MatchEnvironment()),
                        "compilation failed");
  if (!cel::SameType(*ast.root->type, *cel::BoolType())) {
    return absl::InvalidArgumentError(
        absl::StrCat("must evaluate to bool but got ", cel::FormatType(*ast.root->type)));
  }
  KUBE_ASSIGN_OR_RETURN(cel::Program program, cel::Program::Make(ast),
                        "program instantiation failed");
  return program;
}

absl::StatusOr<bool> EvaluateMatchConditions(const Context& ctx,
                                             const std::vector<CompiledCondition>& conditions,
                                             const MatchInput& input) {
  cel::Variables variables;
  variables.emplace("object", cel::ToValue(input.object));
  variables.emplace("oldObject", cel::ToValue(input.old_object));
  variables.emplace("request", cel::ToValue(input.request));
  // As upstream, where webhooks do not get it.
  variables.emplace("namespaceObject", cel::Value());
  uint64_t budget = kBudget;
  bool any_false = false;
  std::vector<absl::Status> errors;
  for (const CompiledCondition& condition : conditions) {
    if (!condition.program.ok()) {
      errors.push_back(absl::InvalidArgumentError(
          absl::StrCat("compilation error: ", condition.program.status().message())));
      continue;
    }
    const cel::Program::Result result = condition.program->Evaluate(ctx, variables);
    if (result.cost > budget) {
      return absl::InvalidArgumentError(
          "validation failed due to running out of cost budget, no further validation rules will "
          "be run");
    }
    budget -= result.cost;
    if (!result.value.ok()) {
      errors.push_back(absl::InvalidArgumentError(
          absl::StrCat("expression '", condition.expression,
                       "' resulted in error: ", result.value.status().message())));
    } else if (result.value->IsFalse()) {
      any_false = true;
    }
  }
  if (any_false) return false;
  if (!errors.empty()) return Joined(errors);
  return true;
}

}  // namespace kube::apiserver::internal
