#ifndef APISERVER_ERRORS_PLAIN_ERROR_H_
#define APISERVER_ERRORS_PLAIN_ERROR_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace kube::apiserver::internal {

// Returns an error whose Status has the code 500, the message and no reason, which is what plain
// errors become in kube-apiserver. Thread-safe.
absl::Status PlainError(absl::string_view message);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_ERRORS_PLAIN_ERROR_H_
