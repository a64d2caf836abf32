#ifndef CLIENTSET_DISCOVERY_DISCOVERY_CLIENT_H_
#define CLIENTSET_DISCOVERY_DISCOVERY_CLIENT_H_

#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/version/info.kube.h"
#include "clientset/discovery/discovery.h"
#include "clientset/discovery/server_resources.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"

namespace kube::discovery {

// A value that is used nowhere else, so that it can be recognized in logs. (client-go:
// `discovery.defaultTimeout`)
inline constexpr absl::Duration kDefaultTimeout = absl::Seconds(32);

struct DiscoveryClientOptions {
  // The time limit of each request; the server is told as well. If zero, the rest::Client's own.
  absl::Duration timeout = kDefaultTimeout;
  // Requests the groups and then each group-version, even from servers that would send everything
  // at once. (client-go: `WithLegacy`, `UseLegacyDiscovery`)
  bool legacy = false;
  // Requests only what this one server serves, without its peers in a mixed-version cluster, for
  // example to find out whether it is ready. (client-go: `NoPeerDiscovery`)
  bool no_peer = false;
};

// Asks the server each time. (client-go: `discovery.DiscoveryClient`)
//
//   const discovery::DiscoveryClient server(clientset.client());
//   KUBE_ASSIGN_OR_RETURN(const version::Info version, server.ServerVersion(ctx));
//
// If the server supports aggregated discovery (1.26 and newer), two requests, to /api and /apis,
// return everything; otherwise each group-version needs one more request. If some group-versions
// fail, everything is requested a second time, because groups come and go. A missing /api is not an
// error: aggregated API servers have none. OpenAPI documents are not supported here.
//
// A handle: cheap to copy. Thread-safe.
class DiscoveryClient final : public Discovery {
 public:
  // (client-go: `discovery.NewDiscoveryClient`)
  explicit DiscoveryClient(rest::Client client, const DiscoveryClientOptions& options = {})
      : client_(std::move(client)), options_(options) {}

  absl::StatusOr<GroupList> ServerGroups(const Context& ctx) const override;
  // Returns NOT_FOUND if the group-version does not exist, but an empty list for "v1".
  absl::StatusOr<ResourceList> ServerResourcesForGroupVersion(
      const Context& ctx, absl::string_view group_version) const override;
  absl::StatusOr<version::Info> ServerVersion(const Context& ctx) const override;
  absl::StatusOr<GroupsAndMaybeResources> MaybeResources(const Context& ctx) const override;
  absl::StatusOr<ServerResources> ServerGroupsAndResources(const Context& ctx) const override;
  absl::StatusOr<ServerResources> ServerPreferredResources(const Context& ctx) const override;

  // (client-go: `RESTClient`)
  const rest::Client& client() const { return client_; }
  const DiscoveryClientOptions& options() const { return options_; }

 private:
  rest::Client client_;
  DiscoveryClientOptions options_;
};

// Returns a client with a rest::Client of its own. If `config` has a timeout, it replaces
// options.timeout; if it has a qps but no burst, the burst is 300 requests. Sends nothing. Returns
// the errors of rest::MakeClient. (client-go: `discovery.NewDiscoveryClientForConfig`)
absl::StatusOr<DiscoveryClient> MakeDiscoveryClient(const rest::Config& config,
                                                    const DiscoveryClientOptions& options = {});

}  // namespace kube::discovery

#endif  // CLIENTSET_DISCOVERY_DISCOVERY_CLIENT_H_
