#ifndef APIMACHINERY_SCHEMA_MISSING_KIND_H_
#define APIMACHINERY_SCHEMA_MISSING_KIND_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

// The errors for objects without kind or apiVersion, for all decoders (client-go:
// `pkg/runtime/error.go`).
//
// They are INVALID_ARGUMENT with upstream's texts, and have a payload that base::Annotate keeps.
// Pure functions: thread-safe.
namespace kube::schema {

// `object` says in which object kind or apiVersion is missing. Unlike upstream's decoders, ours do
// not pass the whole body, because it may be a Secret. (client-go: `runtime.NewMissingKindErr`,
// `runtime.NewMissingVersionErr`)
absl::Status MissingKindError(absl::string_view object);
absl::Status MissingVersionError(absl::string_view object);

// (client-go: `runtime.IsMissingKind`, `runtime.IsMissingVersion`)
bool IsMissingKind(const absl::Status& status);
bool IsMissingVersion(const absl::Status& status);

}  // namespace kube::schema

#endif  // APIMACHINERY_SCHEMA_MISSING_KIND_H_
