#ifndef TESTS_EVERY_KIND_SERVER_H_
#define TESTS_EVERY_KIND_SERVER_H_

#include <map>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/testing/kind_case.h"

namespace kube::every_kind {

// Returns whether the server is the one of the variable KUBECONFIG, which tests/real_server/run
// sets.
bool IsReal();

// Returns a client of that server, or of an embedded one in this process. Its namespace "prod" can
// be used.
const kubernetes::Clientset& Client();
// Returns a client of the embedded server, also beside a real one. Its namespace "prod" can be
// used.
const kubernetes::Clientset& EmbeddedClient();

// Returns a context with a timeout of half a minute, which no request here needs.
Context Soon();

// Returns "apps/v1".
std::string ApiVersionOf(const kubernetes::KindCase& kind);

// What the server supports according to discovery: verbs, by resource ("deployments/scale"), by
// group and version ("apps/v1").
using Served = std::map<std::string, std::map<std::string, std::set<std::string>>>;
Served Discover(const std::set<std::string>& group_versions);

// Returns a valid object of the kind as JSON, or NOT_FOUND if no file has one.
absl::StatusOr<std::string> ManifestOf(absl::string_view api_version, absl::string_view kind);

}  // namespace kube::every_kind

#endif  // TESTS_EVERY_KIND_SERVER_H_
