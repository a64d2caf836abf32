#ifndef APISERVER_AUTH_SERVICE_ACCOUNT_H_
#define APISERVER_AUTH_SERVICE_ACCOUNT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::apiserver::internal {

// A service account, as the name of its user says it.
struct ServiceAccountName {
  std::string namespace_name = {};
  std::string name = {};
};

// Returns the account of the user "system:serviceaccount:NAMESPACE:NAME", or nullopt for other
// users. Thread-safe (kube-apiserver: `serviceaccount.SplitUsername`).
std::optional<ServiceAccountName> ServiceAccountOf(absl::string_view user);

// Returns the groups of the accounts of a namespace. Thread-safe (kube-apiserver:
// `serviceaccount.MakeGroupNames`).
std::vector<std::string> ServiceAccountGroups(absl::string_view namespace_name);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_AUTH_SERVICE_ACCOUNT_H_
