#ifndef APIMACHINERY_CRD_SCHEMA_INTERNAL_FORMATS_H_
#define APIMACHINERY_CRD_SCHEMA_INTERNAL_FORMATS_H_

#include "absl/strings/string_view.h"

namespace kube::crd_schema::internal {

// Returns whether a text has a format (kube-openapi: `strfmt.Default`).
using FormatCheck = bool (*)(absl::string_view text);

// Returns the check for a format, or null if the format is unknown, which allows all texts. Dashes
// in the name are ignored: "date-time" is "datetime". Thread-safe, and so are the checks.
FormatCheck FindFormat(absl::string_view name);

}  // namespace kube::crd_schema::internal

#endif  // APIMACHINERY_CRD_SCHEMA_INTERNAL_FORMATS_H_
