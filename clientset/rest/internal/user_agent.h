#ifndef CLIENTSET_REST_INTERNAL_USER_AGENT_H_
#define CLIENTSET_REST_INTERNAL_USER_AGENT_H_

#include <string>

#include "absl/strings/string_view.h"

// Pure functions: thread-safe.
namespace kube::rest::internal {

// "program/v1.2.3 (linux/amd64) kubernetes/abc1234" of "/usr/bin/program", "v1.2.3-rc.1" and
// "abc1234def"; "unknown" for what is empty (REST-18). (rest.buildUserAgent)
std::string BuildUserAgent(absl::string_view command, absl::string_view version,
                           absl::string_view os, absl::string_view architecture,
                           absl::string_view commit);

// As Go names what this was built for: "linux", "amd64". (runtime.GOOS, runtime.GOARCH)
absl::string_view OperatingSystem();
absl::string_view Architecture();

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_USER_AGENT_H_
