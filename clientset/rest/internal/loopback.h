#ifndef CLIENTSET_REST_INTERNAL_LOOPBACK_H_
#define CLIENTSET_REST_INTERNAL_LOOPBACK_H_

#include "absl/strings/string_view.h"

namespace kube::rest::internal {

// Returns whether the host is this machine: 127.0.0.0/8, ::1 or localhost. Pure: thread-safe.
bool IsLoopback(absl::string_view host_name);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_LOOPBACK_H_
