#ifndef CONTROLLER_LEADERELECTION_IDENTITY_H_
#define CONTROLLER_LEADERELECTION_IDENTITY_H_

#include <string>

namespace kube::leaderelection {

// Returns an identity for a candidate that no other one has, also not another process of the same
// host: the host name, "_" and ten random letters and digits. Each call returns another one. Never
// fails; thread-safe. (client-go: its examples join `os.Hostname` and a UUID)
std::string UniqueIdentity();

}  // namespace kube::leaderelection

#endif  // CONTROLLER_LEADERELECTION_IDENTITY_H_
