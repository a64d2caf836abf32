#ifndef CODEGEN_CRD_IMPORT_INTERNAL_KIND_OPTIONS_H_
#define CODEGEN_CRD_IMPORT_INTERNAL_KIND_OPTIONS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "codegen/crd_import/internal/idl.h"

// What a definition says of a kind besides its schema, as options of the kind's messages. Pure and
// thread-safe.

namespace kube::codegen::internal {

// Returns the option (kube.kind) of a version of a definition, which must be valid and have its
// defaults. `message` is the name of the kind's message. `is_stored` says whether to mark it as the
// version that is stored.
IdlOptions KindOptionsOf(const api::apiextensions::v1::CustomResourceDefinition& definition,
                         const api::apiextensions::v1::CustomResourceDefinitionVersion& version,
                         absl::string_view message, bool is_stored);

// Returns the option (kube.kind) of the list of the kind, whose message is `message`.
IdlOptions ListOptionsOf(const api::apiextensions::v1::CustomResourceDefinition& definition,
                         absl::string_view list_message, absl::string_view message);

}  // namespace kube::codegen::internal

#endif  // CODEGEN_CRD_IMPORT_INTERNAL_KIND_OPTIONS_H_
