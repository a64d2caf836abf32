#ifndef CLIENTSET_REST_INTERNAL_CREDENTIALS_EXEC_POLICY_H_
#define CLIENTSET_REST_INTERNAL_CREDENTIALS_EXEC_POLICY_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "clientset/rest/exec_config.h"

namespace kube::rest::internal {

// The program that `command` means: a path as it is, a name looked up in PATH; it is a file that
// may be executed. FAILED_PRECONDITION: there is none, or PATH found it in the present folder by a
// relative name, which is nobody's intention. (exec.LookPath)
absl::StatusOr<std::string> LookUpProgram(const std::string& command);

// INVALID_ARGUMENT: a list that does not count, one that is empty, an entry that is not written as
// a path is at its shortest. (ValidatePluginPolicy)
absl::Status CheckPolicy(const ExecPolicy& policy);

// Whether the policy, which was checked, lets `command` run; `program` is what LookUpProgram made
// of it. FAILED_PRECONDITION: no.
//
// An entry of the list matches if it is the command or the program, word for word, or if its own
// program is the same file under the same name: so "kubelogin" lets "/usr/bin/kubelogin" run where
// PATH finds just that one.
absl::Status MayRun(const ExecPolicy& policy, const std::string& command,
                    const absl::StatusOr<std::string>& program);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CREDENTIALS_EXEC_POLICY_H_
