#ifndef ENVTEST_SERVER_CALL_WARNING_HEADER_H_
#define ENVTEST_SERVER_CALL_WARNING_HEADER_H_

#include <string>

#include "absl/strings/string_view.h"

namespace kube::envtest::internal {

// Returns the value of a Warning header.
std::string WarningHeader(absl::string_view text);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_CALL_WARNING_HEADER_H_
