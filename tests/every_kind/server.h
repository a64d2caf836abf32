#ifndef TESTS_EVERY_KIND_SERVER_H_
#define TESTS_EVERY_KIND_SERVER_H_

#include <map>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "clientset/kubernetes/clientset.h"

namespace kube::every_kind {

// Whether the server is that of the variable KUBECONFIG, as tests/real_server/run sets it.
bool IsReal();

// Of that server, or else of an embedded one in this process. In its namespace "prod" objects can
// be made.
const kubernetes::Clientset& Client();

// What discovery says that the server has: verbs by resource ("deployments/scale"), by group and
// version ("apps/v1").
using Served = std::map<std::string, std::map<std::string, std::set<std::string>>>;
Served Discover(const std::set<std::string>& group_versions);

// A valid object of that kind, in JSON. NOT_FOUND: no file has one.
absl::StatusOr<std::string> ManifestOf(absl::string_view api_version, absl::string_view kind);

}  // namespace kube::every_kind

#endif  // TESTS_EVERY_KIND_SERVER_H_
