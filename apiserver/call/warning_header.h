#ifndef APISERVER_CALL_WARNING_HEADER_H_
#define APISERVER_CALL_WARNING_HEADER_H_

#include <string>

#include "absl/strings/string_view.h"

namespace kube::apiserver::internal {

// Returns the value of a Warning header.
std::string WarningHeader(absl::string_view text);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CALL_WARNING_HEADER_H_
