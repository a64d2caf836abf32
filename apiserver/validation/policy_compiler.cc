#include "apiserver/validation/policy_compiler.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/authorizer.h"
#include "apimachinery/cel/compile.h"
#include "apimachinery/cel/environment.h"
#include "apimachinery/cel/program.h"
#include "apimachinery/cel/type.h"
#include "apiserver/validation/admission_environment.h"
#include "apiserver/validation/variable_types.h"

namespace kube::apiserver::internal {
namespace {

using cel::TypePtr;

constexpr char kObject[] = "Object";
constexpr char kJsonPatch[] = "JSONPatch";

// Returns what is wrong with the type of a value, or "".
std::string WrongType(PolicyExpression purpose, const cel::Type& type) {
  const std::string got = absl::StrCat(" but got ", cel::FormatType(type));
  switch (purpose) {
    case PolicyExpression::kVariable:
      return "";
    case PolicyExpression::kMatchCondition:
    case PolicyExpression::kValidation:
      if (cel::SameType(type, *cel::BoolType())) return "";
      return absl::StrCat("must evaluate to bool", got);
    case PolicyExpression::kMessage:
      if (cel::SameType(type, *cel::StringType())) return "";
      return absl::StrCat("must evaluate to string", got);
    case PolicyExpression::kAuditAnnotation:
      if (cel::SameType(type, *cel::StringType()) || cel::SameType(type, *cel::NullType())) {
        return "";
      }
      return absl::StrCat("must evaluate to one of [string null_type]", got);
    case PolicyExpression::kApplyConfiguration:
      if (cel::SameType(type, *cel::StructType(kObject))) return "";
      return absl::StrCat("must evaluate to ", kObject, got);
    case PolicyExpression::kJsonPatch:
      if (cel::SameType(type, *cel::ListType(cel::StructType(kJsonPatch)))) return "";
      return absl::StrCat("must evaluate to list(", kJsonPatch, ")", got);
  }
  return "";
}

}  // namespace

// Knows also the objects that the expressions of mutations make: patches, and objects of any fields
// under names such as Object.spec.template (kube-apiserver: `mutation.DynamicTypeResolver`).
class PolicyCompiler::MutationTypes final : public cel::TypeProvider {
 public:
  explicit MutationTypes(std::shared_ptr<const VariableTypes> types) : types_(std::move(types)) {}

  bool HasStruct(absl::string_view name) const override {
    return CanMake(name) || types_->HasStruct(name);
  }

  TypePtr FindField(absl::string_view struct_name, absl::string_view field) const override {
    if (!CanMake(struct_name)) return types_->FindField(struct_name, field);
    if (struct_name != kJsonPatch || field == "value") return cel::DynType();
    return field == "op" || field == "path" || field == "from" ? cel::StringType() : nullptr;
  }

  bool CanMake(absl::string_view name) const override {
    return name == kJsonPatch || name == kObject ||
           absl::StartsWith(name, absl::StrCat(kObject, "."));
  }

 private:
  const std::shared_ptr<const VariableTypes> types_;
};

PolicyCompiler::PolicyCompiler(const Options& options) : types_(std::make_shared<VariableTypes>()) {
  AddAdmissionVariables(message_environment_);
  message_environment_.SetTypes(types_);
  if (options.params) message_environment_.AddVariable("params", cel::DynType());
  condition_environment_ = message_environment_;
  condition_environment_.AddVariable("authorizer", cel::AuthorizerType());
  condition_environment_.AddVariable("authorizer.requestResource", cel::ResourceCheckType());
  environment_ = condition_environment_;
  if (options.variables) {
    environment_.AddVariable("variables", VariableTypes::Self());
    message_environment_.AddVariable("variables", VariableTypes::Self());
  }
  mutation_environment_ = environment_;
  mutation_environment_.SetTypes(std::make_shared<const MutationTypes>(types_));
  mutation_environment_.AllowJsonPatch();
}

absl::StatusOr<cel::Program> PolicyCompiler::Compile(PolicyExpression purpose,
                                                     absl::string_view expression) const {
  const bool mutates =
      purpose == PolicyExpression::kApplyConfiguration || purpose == PolicyExpression::kJsonPatch;
  const cel::Environment& environment =
      mutates                                        ? mutation_environment_
      : purpose == PolicyExpression::kMatchCondition ? condition_environment_
      : purpose == PolicyExpression::kMessage        ? message_environment_
                                                     : environment_;
  KUBE_ASSIGN_OR_RETURN(const cel::Ast ast, cel::Compile(expression, environment),
                        "compilation failed");
  const std::string wrong = WrongType(purpose, *ast.root->type);
  if (!wrong.empty()) return absl::InvalidArgumentError(wrong);
  absl::StatusOr<cel::Program> program = cel::Program::Make(ast);
  if (!program.ok()) {
    return absl::InternalError(
        absl::StrCat("program instantiation failed: ", program.status().message()));
  }
  return program;
}

absl::StatusOr<cel::Program> PolicyCompiler::AddVariable(absl::string_view name,
                                                         absl::string_view expression) {
  absl::StatusOr<cel::Program> program = Compile(PolicyExpression::kVariable, expression);
  types_->Add(name, program.ok() ? program->type() : nullptr);
  return program;
}

}  // namespace kube::apiserver::internal
