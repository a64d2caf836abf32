#ifndef TESTS_INTEGRATION_REAL_SERVER_H_
#define TESTS_INTEGRATION_REAL_SERVER_H_

#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/typed/resource.h"

// The server that tests/real_server/run has started, for tests with the tag "real_server". Whatever
// fails here ends the test program: without a server there is nothing to test.
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

// Of the kubeconfig: "admin", "admin-token", "plain-user", "plain-token"; "" is admin.
rest::Config ConfigOf(absl::string_view context = "");
rest::Client ClientOf(const rest::Config& config);

// A minute: nothing here takes so long.
Context Soon();

// A namespace of its own, whose name is new.
std::string MakeNamespace(const rest::Client& client);

// A variable that tools/kube has set: "KUBE_ETCD", "KUBE_DIR". "KUBE_VARIANT" may be empty.
std::string Variable(const char* name);

// The server forgets all but the present state. It has no cache of old states only in the variant
// also_without_watch_cache.
void CompactEtcd();
// Of another server, whose etcd is at this URL.
void CompactEtcd(const std::string& etcd_url);

}  // namespace kube::integration

#endif  // TESTS_INTEGRATION_REAL_SERVER_H_
