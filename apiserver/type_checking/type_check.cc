#include "apiserver/type_checking/type_check.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/authorizer.h"
#include "apimachinery/cel/compile.h"
#include "apimachinery/cel/environment.h"
#include "apimachinery/cel/schema.h"
#include "apimachinery/cel/type.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apimachinery/validation/field_path.h"
#include "apiserver/openapi/expression_types.h"
#include "apiserver/resources.h"
#include "apiserver/type_checking/checked_kinds.h"
#include "apiserver/validation/admission_environment.h"
#include "apiserver/validation/variable_types.h"

namespace kube::apiserver::internal {
namespace {

namespace admissionv1 = api::admissionregistration::v1;
using cel::TypePtr;
using SchemaTypesPtr = std::shared_ptr<const cel::SchemaTypes>;

// Knows the objects, the parameters, and what all policies can refer to.
class CheckedTypes final : public cel::TypeProvider {
 public:
  // Parameters are null if their type is not known.
  CheckedTypes(SchemaTypesPtr objects, SchemaTypesPtr params,
               std::shared_ptr<const VariableTypes> others)
      : objects_(std::move(objects)), params_(std::move(params)), others_(std::move(others)) {}

  bool HasStruct(absl::string_view name) const override { return Of(name).HasStruct(name); }

  TypePtr FindField(absl::string_view struct_name, absl::string_view field) const override {
    return Of(struct_name).FindField(struct_name, field);
  }

 private:
  const cel::TypeProvider& Of(absl::string_view name) const {
    if (objects_->HasStruct(name)) return *objects_;
    if (params_ != nullptr && params_->HasStruct(name)) return *params_;
    return *others_;
  }

  const SchemaTypesPtr objects_;
  const SchemaTypesPtr params_;
  const std::shared_ptr<const VariableTypes> others_;
};

// Compiles expressions with the types of one kind.
class KindCheck {
 public:
  KindCheck(const admissionv1::ValidatingAdmissionPolicySpec& spec, const Resource& resource,
            const SchemaTypesPtr& params)
      : kind_(schema::GroupVersionKind{.group = std::string(resource.kind->group),
                                       .version = std::string(resource.kind->version),
                                       .kind = std::string(resource.kind->kind)}
                  .ToString()) {
    const SchemaTypesPtr objects =
        ExpressionTypesOf(resource, absl::StrCat(resource.kind->kind, "0"));
    const auto variables = std::make_shared<VariableTypes>();
    AddAdmissionVariables(environment_);
    environment_.AddVariable("object", TypeOf(*objects));
    environment_.AddVariable("oldObject", TypeOf(*objects));
    if (spec.param_kind) {
      environment_.AddVariable("params", params == nullptr ? cel::DynType() : TypeOf(*params));
    }
    environment_.AddVariable("authorizer", cel::AuthorizerType());
    environment_.AddVariable("variables", VariableTypes::Self());
    environment_.SetTypes(std::make_shared<const CheckedTypes>(objects, params, variables));
    for (const admissionv1::Variable& each : spec.variables) {
      const absl::StatusOr<cel::Ast> ast = cel::Compile(each.expression.view(), environment_);
      variables->Add(each.name.view(), ast.ok() ? ast->root->type : nullptr);
    }
  }

  // Returns what is wrong with an expression, or "".
  std::string Check(absl::string_view expression) const {
    const absl::Status compiled = cel::Compile(expression, environment_).status();
    return compiled.ok() ? "" : absl::StrCat(kind_, ": ", compiled.message(), "\n");
  }

 private:
  static TypePtr TypeOf(const cel::SchemaTypes& types) {
    return types.root() == nullptr ? cel::DynType() : types.root();
  }

  const std::string kind_;
  cel::Environment environment_;
};

// Returns null if the policy has no parameters, or none of a kind that the server has.
SchemaTypesPtr ParamTypes(const admissionv1::ValidatingAdmissionPolicySpec& spec,
                          const Resources& resources) {
  if (!spec.param_kind) return nullptr;
  const absl::string_view kind = spec.param_kind->kind.view();
  const Resource* const resource = resources.FindKind(spec.param_kind->api_version.view(), kind);
  return resource == nullptr ? nullptr : ExpressionTypesOf(*resource, absl::StrCat(kind, "1"));
}

void AddWarnings(const std::vector<KindCheck>& kinds, const validation::field::Path& path,
                 absl::string_view expression, List<admissionv1::ExpressionWarning>& warnings) {
  std::vector<std::string> texts;
  for (const KindCheck& kind : kinds) {
    std::string text = kind.Check(expression);
    if (!text.empty()) texts.push_back(std::move(text));
  }
  if (texts.empty()) return;
  admissionv1::ExpressionWarning& warning = warnings.emplace_back();
  warning.field_ref = path.ToString();
  warning.warning = absl::StrJoin(texts, "\n");
}

}  // namespace

List<admissionv1::ExpressionWarning> CheckTypes(
    const admissionv1::ValidatingAdmissionPolicy& policy, const Resources& resources) {
  List<admissionv1::ExpressionWarning> warnings;
  const admissionv1::ValidatingAdmissionPolicySpec& spec = policy.spec;
  if (!spec.match_constraints) return warnings;
  const std::vector<const Resource*> checked = CheckedKinds(*spec.match_constraints, resources);
  if (checked.empty()) return warnings;
  const SchemaTypesPtr params = ParamTypes(spec, resources);
  std::vector<KindCheck> kinds;
  kinds.reserve(checked.size());
  for (const Resource* resource : checked) kinds.emplace_back(spec, *resource, params);
  const validation::field::Path path = validation::field::Path("spec").Child("validations");
  for (size_t i = 0; i < spec.validations.size(); ++i) {
    const admissionv1::Validation& each = spec.validations[i];
    AddWarnings(kinds, path.Index(i).Child("expression"), each.expression.view(), warnings);
    if (each.message_expression.empty()) continue;
    AddWarnings(kinds, path.Index(i).Child("messageExpression"), each.message_expression.view(),
                warnings);
  }
  return warnings;
}

}  // namespace kube::apiserver::internal
