#ifndef CONTROLLER_TESTING_INTERNAL_AUDIT_LOG_H_
#define CONTROLLER_TESTING_INTERNAL_AUDIT_LOG_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apiserver/handler.h"

namespace kube::controller::internal {

// Reads the audit log of a kube-apiserver, one event of audit.k8s.io/v1 a line, as requests of the
// embedded server's log, with what both have. A last line that is cut off is left out. Returns
// INVALID_ARGUMENT, with the line, if another one is not JSON. Pure: thread-safe.
absl::StatusOr<std::vector<apiserver::LoggedRequest>> ParseAuditLog(absl::string_view log);

}  // namespace kube::controller::internal

#endif  // CONTROLLER_TESTING_INTERNAL_AUDIT_LOG_H_
