#ifndef TESTS_INTEGRATION_REAL_SERVER_H_
#define TESTS_INTEGRATION_REAL_SERVER_H_

#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/typed/resource.h"

// The server that tests/real_server/run has started, for tests with the tag "real_server". Errors
// here end the test program, because without a server there is nothing to test.
namespace kube::integration {

inline constexpr typed::Resource kConfigMaps = {
    .version = "v1", .plural = "configmaps", .kind = "ConfigMap", .built_in = true};
inline constexpr typed::Resource kPods = {
    .version = "v1", .plural = "pods", .kind = "Pod", .built_in = true};
inline constexpr typed::Resource kSecrets = {
    .version = "v1", .plural = "secrets", .kind = "Secret", .built_in = true};
inline constexpr typed::Resource kDeployments = {.group = "apps",
                                                 .version = "v1",
                                                 .plural = "deployments",
                                                 .kind = "Deployment",
                                                 .built_in = true};
inline constexpr typed::Resource kNamespaces = {.version = "v1",
                                                .plural = "namespaces",
                                                .kind = "Namespace",
                                                .namespaced = false,
                                                .built_in = true};

// Returns the configuration for a context of the kubeconfig: "admin", "admin-token", "plain-user"
// or "plain-token". "" means "admin".
rest::Config ConfigOf(absl::string_view context = "");
rest::Client ClientOf(const rest::Config& config);

// Returns a context with a timeout of one minute, which no request here needs.
Context Soon();

// Creates a namespace with a new name, and returns the name.
std::string MakeNamespace(const rest::Client& client);

// Returns a variable that tools/kube sets: "KUBE_ETCD", "KUBE_DIR", or "KUBE_VARIANT", which may be
// empty.
std::string Variable(const char* name);

// Compacts etcd up to the present revision. Only in the variant also_without_watch_cache is there
// no cache that still has the older ones.
void CompactEtcd();
// Does the same for another server, whose etcd has this URL.
void CompactEtcd(const std::string& etcd_url);

}  // namespace kube::integration

#endif  // TESTS_INTEGRATION_REAL_SERVER_H_
