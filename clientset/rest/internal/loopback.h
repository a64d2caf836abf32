#ifndef CLIENTSET_REST_INTERNAL_LOOPBACK_H_
#define CLIENTSET_REST_INTERNAL_LOOPBACK_H_

#include "absl/strings/string_view.h"

namespace kube::rest::internal {

// 127.0.0.0/8, ::1 or localhost: what is sent there stays on the machine. Pure: thread-safe.
bool IsLoopback(absl::string_view host_name);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_LOOPBACK_H_
