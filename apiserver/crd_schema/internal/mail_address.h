#ifndef APISERVER_CRD_SCHEMA_INTERNAL_MAIL_ADDRESS_H_
#define APISERVER_CRD_SCHEMA_INTERNAL_MAIL_ADDRESS_H_

#include "absl/strings/string_view.h"

namespace kube::crd_schema::internal {

// Whether Go's mail.ParseAddress takes it: "bob@example.com", "Bob <bob@example.com>". Words that
// are encoded (=?utf-8?q?...?=) are taken as they are: upstream refuses those of some charsets.
// Pure: thread-safe.
bool IsMailAddress(absl::string_view text);

}  // namespace kube::crd_schema::internal

#endif  // APISERVER_CRD_SCHEMA_INTERNAL_MAIL_ADDRESS_H_
