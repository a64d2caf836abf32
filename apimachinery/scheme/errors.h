#ifndef APIMACHINERY_SCHEME_ERRORS_H_
#define APIMACHINERY_SCHEME_ERRORS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/schema/missing_kind.h"

// What a Scheme and its decoders have against an object, and how to tell it. (apimachinery's
// pkg/runtime/error.go)
//
//   absl::StatusOr<DecodedObject> object = decoder.Decode(body);
//   if (IsNotRegistered(object.status())) ...  // a kind that this program was not built with
//
// The texts are upstream's, and all are INVALID_ARGUMENT. A payload carries which it is, so that
// base::Annotate does not hide it. Pure functions: thread-safe.
namespace kube::scheme {

// The version of types that Go programs keep to themselves; here it only occurs in texts.
// (runtime.APIVersionInternal)
inline constexpr char kInternalVersion[] = "__internal";

// (runtime.NewNotRegisteredErrForKind, NewNotRegisteredErrForType)
absl::Status NotRegisteredErrorForKind(absl::string_view scheme_name,
                                       const schema::GroupVersionKind& kind);
absl::Status NotRegisteredErrorForType(absl::string_view scheme_name, absl::string_view type_name);

// Of bodies that do not say what they are; unstructured objects without a kind have the same.
using schema::MissingKindError;
using schema::MissingVersionError;

// Of `unknown field "spec.foo"` and its like. (runtime.NewStrictDecodingError)
absl::Status StrictDecodingError(absl::Span<const std::string> strict_errors);

// The scheme has no such kind, or no such type. (runtime.IsNotRegisteredError)
bool IsNotRegistered(const absl::Status& status);
// (runtime.IsMissingKind, IsMissingVersion)
using schema::IsMissingKind;
using schema::IsMissingVersion;
// The object has members that its type lacks, or some of them twice, and is fine otherwise.
// (runtime.IsStrictDecodingError)
bool IsStrictDecodingError(const absl::Status& status);

}  // namespace kube::scheme

#endif  // APIMACHINERY_SCHEME_ERRORS_H_
