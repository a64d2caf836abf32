#ifndef APIMACHINERY_SCHEME_ERRORS_H_
#define APIMACHINERY_SCHEME_ERRORS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/schema/missing_kind.h"

// Errors of Scheme and of its decoders, and the predicates that recognize them. (client-go:
// apimachinery's `pkg/runtime/error.go`)
//
//   const absl::StatusOr<DecodedObject> object = decoder.Decode(body);
//   // A kind that this program was not built with:
//   const bool is_unknown = IsNotRegistered(object.status());
//
// All are INVALID_ARGUMENT with client-go's texts. A payload identifies each kind of error, so that
// the predicates still hold after base::Annotate. These functions are thread-safe.
namespace kube::scheme {

// The version that Go programs use for their internal types. No type here has it, and no server
// serves it. (client-go: `runtime.APIVersionInternal`)
inline constexpr char kInternalVersion[] = "__internal";

// Make the error for a kind, or a type, that the scheme `scheme_name` does not have. (client-go:
// `runtime.NewNotRegisteredErrForKind`, `runtime.NewNotRegisteredErrForType`)
absl::Status NotRegisteredErrorForKind(absl::string_view scheme_name,
                                       const schema::GroupVersionKind& kind);
absl::Status NotRegisteredErrorForType(absl::string_view scheme_name, absl::string_view type_name);

// Make the error for a body, or an unstructured object, that states no kind or no apiVersion.
using schema::MissingKindError;
using schema::MissingVersionError;

// Makes the error that lists `strict_errors`, such as `unknown field "spec.foo"`. (client-go:
// `runtime.NewStrictDecodingError`)
absl::Status StrictDecodingError(absl::Span<const std::string> strict_errors);

// Returns whether the error says that the scheme lacks a kind or a type. (client-go:
// `runtime.IsNotRegisteredError`)
bool IsNotRegistered(const absl::Status& status);
// (client-go: `runtime.IsMissingKind`, `runtime.IsMissingVersion`)
using schema::IsMissingKind;
using schema::IsMissingVersion;
// Returns whether the only fault of an object is that it has unknown or duplicate fields.
// (client-go: `runtime.IsStrictDecodingError`)
bool IsStrictDecodingError(const absl::Status& status);

}  // namespace kube::scheme

#endif  // APIMACHINERY_SCHEME_ERRORS_H_
