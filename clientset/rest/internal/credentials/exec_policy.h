#ifndef CLIENTSET_REST_INTERNAL_CREDENTIALS_EXEC_POLICY_H_
#define CLIENTSET_REST_INTERNAL_CREDENTIALS_EXEC_POLICY_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "clientset/rest/exec_config.h"

namespace kube::rest::internal {

// Returns the path of the executable that `command` means: a path as it is, or a name that is
// looked up in PATH. Returns FAILED_PRECONDITION if there is no such executable, or if it was found
// through a relative entry of PATH, which is hardly ever intended. (Go: `exec.LookPath`)
absl::StatusOr<std::string> LookUpProgram(const std::string& command);

// Returns INVALID_ARGUMENT if there is an allowlist but another type, if the allowlist is empty, or
// if an entry is not a normalized path. (client-go: `ValidatePluginPolicy`)
absl::Status CheckPolicy(const ExecPolicy& policy);

// Returns OK if the policy allows `command`, and FAILED_PRECONDITION otherwise. The policy must
// have passed CheckPolicy; `program` is the result of LookUpProgram(command).
//
// An entry of the allowlist matches if it is equal to the command or to the program, or if the
// entry's own program is the same file with the same file name. So "kubelogin" allows
// "/usr/bin/kubelogin" if that is what PATH finds.
absl::Status MayRun(const ExecPolicy& policy, const std::string& command,
                    const absl::StatusOr<std::string>& program);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CREDENTIALS_EXEC_POLICY_H_
