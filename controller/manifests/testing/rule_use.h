#ifndef CONTROLLER_MANIFESTS_TESTING_RULE_USE_H_
#define CONTROLLER_MANIFESTS_TESTING_RULE_USE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apiserver/handler.h"
#include "controller/cache/required_access.h"

namespace kube::manifests {

// How the rights that a program declares compare with the requests that it has sent.
struct RuleUse {
  // Requests that no declared right allows, each once: "patch deployments.apps in \"web\"".
  std::vector<std::string> not_declared = {};
  // Verbs that are declared and that no request has used, each once: "delete deployments.apps".
  // Not among them: "get" beside "list", which shows nothing more; "list" beside "watch", which
  // begins with a list; "update" of finalizers, which only an admission plug-in asks for; rights to
  // paths.
  std::vector<std::string> not_used = {};
};

// Compares the requests of a user in a server's log with rights, so that a test notices if the two
// drift apart. Both lists are sorted. Requests without a resource are ignored, as every account may
// read versions and discovery documents. Needs no RBAC in the server, though only that can show
// that the program gets along with its roles.
//
//   const RuleUse use = CompareWithRequests(manager.RequiredRules(), server.Requests(),
//                                           "system:serviceaccount:prod:op-controller-manager");
//   EXPECT_THAT(use.not_declared, IsEmpty());
//   EXPECT_THAT(use.not_used, IsEmpty());
RuleUse CompareWithRequests(const std::vector<controller::RequiredAccess>& access,
                            const std::vector<apiserver::LoggedRequest>& requests,
                            absl::string_view user);

}  // namespace kube::manifests

#endif  // CONTROLLER_MANIFESTS_TESTING_RULE_USE_H_
