#ifndef CLIENTSET_REST_INTERNAL_WARNING_HEADER_H_
#define CLIENTSET_REST_INTERNAL_WARNING_HEADER_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "clientset/rest/warnings.h"

namespace kube::rest::internal {

// Takes the first warning off `header`. Nothing: it is malformed, and so what comes after it cannot
// be found. (net.ParseWarningHeader) Pure.
std::optional<Warning> TakeWarning(absl::string_view& header);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_WARNING_HEADER_H_
