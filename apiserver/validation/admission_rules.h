#ifndef APISERVER_VALIDATION_ADMISSION_RULES_H_
#define APISERVER_VALIDATION_ADMISSION_RULES_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/cel/program.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

// What the configurations of webhooks and admission policies have in common (kube-apiserver:
// `pkg/apis/admissionregistration/validation`). Pure and thread-safe.
namespace kube::apiserver::internal {

// Appends an error unless the value is absent or one of `values`, which are sorted. Unlike
// CheckOneOf it does not accept "".
void CheckEnum(validation::field::ErrorList& wrong, const validation::field::Path& path,
               const Opt<String>& value, absl::Span<const absl::string_view> values);

// Checks which requests a rule selects.
void CheckRule(validation::field::ErrorList& wrong,
               const api::admissionregistration::v1::RuleWithOperations& rule,
               const validation::field::Path& path);

// Returns the rule without the names of objects.
api::admissionregistration::v1::RuleWithOperations RuleOf(
    const api::admissionregistration::v1::NamedRuleWithOperations& named);

// Appends the error of an expression that does not compile: `error` is that of the compiler, with
// the text for the field. An INTERNAL one is not the user's mistake.
void AddCompileError(validation::field::ErrorList& wrong, const validation::field::Path& path,
                     absl::string_view expression, const absl::Status& error);

// Checks matchConditions, whose expressions are compiled by `compile`.
void CheckConditions(
    validation::field::ErrorList& wrong,
    const List<api::admissionregistration::v1::MatchCondition>& conditions,
    const validation::field::Path& path,
    absl::FunctionRef<absl::StatusOr<cel::Program>(absl::string_view expression)> compile);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VALIDATION_ADMISSION_RULES_H_
