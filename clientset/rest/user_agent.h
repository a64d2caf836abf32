#ifndef CLIENTSET_REST_USER_AGENT_H_
#define CLIENTSET_REST_USER_AGENT_H_

#include <string>

#include "absl/strings/string_view.h"

// Pure functions: thread-safe.
namespace kube::rest {

// Returns the User-Agent of a program in client-go's format: "program/v1.2.3 (linux/amd64)
// kubernetes/abc1234" for the command "/usr/bin/program", the version "v1.2.3-rc.1" and the commit
// "abc1234def". An empty part becomes "unknown". DefaultUserAgent() is the one of this program.
// (client-go: `rest.buildUserAgent`)
std::string BuildUserAgent(absl::string_view command, absl::string_view version,
                           absl::string_view os, absl::string_view architecture,
                           absl::string_view commit);

// Return Go's names of the platform that this was built for: "linux", "amd64". (Go: `runtime.GOOS`,
// `runtime.GOARCH`)
absl::string_view OperatingSystem();
absl::string_view Architecture();

}  // namespace kube::rest

#endif  // CLIENTSET_REST_USER_AGENT_H_
