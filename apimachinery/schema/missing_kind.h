#ifndef APIMACHINERY_SCHEMA_MISSING_KIND_H_
#define APIMACHINERY_SCHEMA_MISSING_KIND_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

// The errors of objects that do not say what they are, whoever decodes them. (pkg/runtime/error.go)
//
// They are INVALID_ARGUMENT with upstream's texts, and a payload that base::Annotate keeps. Pure
// functions: thread-safe.
namespace kube::schema {

// `object`: what lacks it. Upstream's decoders put the whole body here; ours do not, for it may be
// a Secret's. (runtime.NewMissingKindErr, NewMissingVersionErr)
absl::Status MissingKindError(absl::string_view object);
absl::Status MissingVersionError(absl::string_view object);

// (runtime.IsMissingKind, IsMissingVersion)
bool IsMissingKind(const absl::Status& status);
bool IsMissingVersion(const absl::Status& status);

}  // namespace kube::schema

#endif  // APIMACHINERY_SCHEMA_MISSING_KIND_H_
