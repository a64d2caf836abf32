#ifndef APISERVER_VALIDATION_POLICY_PARTS_H_
#define APISERVER_VALIDATION_POLICY_PARTS_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apiserver/validation/policy_compiler.h"

// What validating and mutating admission policies and their bindings have in common. The functions
// append the errors of a part at `path` (kube-apiserver:
// `pkg/apis/admissionregistration/validation`). Pure and thread-safe.
namespace kube::apiserver::internal {

// Returns whether a text has nothing but white space.
bool IsBlank(absl::string_view text);

// The value is required, and must be one of `values`, which are sorted.
void CheckRequiredEnum(validation::field::ErrorList& wrong, const validation::field::Path& path,
                       const Opt<String>& value, absl::Span<const absl::string_view> values);

void CheckMatch(validation::field::ErrorList& wrong,
                const api::admissionregistration::v1::MatchResources& match,
                const validation::field::Path& path);

void CheckParamKind(validation::field::ErrorList& wrong,
                    const api::admissionregistration::v1::ParamKind& kind,
                    const validation::field::Path& path);

void CheckParamRef(validation::field::ErrorList& wrong,
                   const api::admissionregistration::v1::ParamRef& ref,
                   const validation::field::Path& path);

// Declares the variable in `compiler`.
void CheckVariable(validation::field::ErrorList& wrong,
                   const api::admissionregistration::v1::Variable& variable,
                   PolicyCompiler& compiler, const validation::field::Path& path);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VALIDATION_POLICY_PARTS_H_
