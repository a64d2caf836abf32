#ifndef APISERVER_CRD_SCHEMA_INTERNAL_FORMATS_H_
#define APISERVER_CRD_SCHEMA_INTERNAL_FORMATS_H_

#include "absl/strings/string_view.h"

namespace kube::crd_schema::internal {

// Whether texts are of the formats of a schema. (kube-openapi's strfmt.Default) Dashes in a
// format's name do not count: "date-time" is "datetime".
using FormatCheck = bool (*)(absl::string_view text);

// Null: nobody knows that format, and everything is of it. Thread-safe, and so is what it returns.
FormatCheck FindFormat(absl::string_view name);

}  // namespace kube::crd_schema::internal

#endif  // APISERVER_CRD_SCHEMA_INTERNAL_FORMATS_H_
