#ifndef CLIENTSET_REST_INTERNAL_WARNING_HEADER_H_
#define CLIENTSET_REST_INTERNAL_WARNING_HEADER_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "clientset/rest/warnings.h"

namespace kube::rest::internal {

// Removes the first warning from `header` and returns it. Returns nullopt if it is malformed; then
// the beginning of the next one is not known either. Pure. (client-go: `net.ParseWarningHeader`)
std::optional<Warning> TakeWarning(absl::string_view& header);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_WARNING_HEADER_H_
