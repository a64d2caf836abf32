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

// A time that nothing else has, to be recognised in logs.
inline constexpr absl::Duration kDefaultTimeout = absl::Seconds(32);

struct DiscoveryClientOptions {
  // Of each request; the server is told. Zero: the rest::Client's own.
  absl::Duration timeout = kDefaultTimeout;
  // Asks for groups, and then for each group-version, even if the server would say all at once.
  // (WithLegacy, UseLegacyDiscovery)
  bool legacy = false;
  // What this one server serves, without its peers in a mixed-version cluster: to know whether it
  // is ready. (NoPeerDiscovery)
  bool no_peer = false;
};

// Asks the server, each time. (discovery.DiscoveryClient)
//
//   discovery::DiscoveryClient server(clientset.client());
//   KUBE_ASSIGN_OR_RETURN(const version::Info version, server.ServerVersion(ctx));
//
// Two requests, to /api and /apis, say everything if the server aggregates (1.26 and newer); with
// others there is one for each group-version besides. When some group-versions fail,
// everything is asked for once again, since groups come and go. An /api that is missing is no
// error: servers that are aggregated have none. Not here are OpenAPI's documents.
//
// A handle: cheap to copy. Thread-safe.
class DiscoveryClient final : public Discovery {
 public:
  // (NewDiscoveryClient)
  explicit DiscoveryClient(rest::Client client, const DiscoveryClientOptions& options = {})
      : client_(std::move(client)), options_(options) {}

  absl::StatusOr<GroupList> ServerGroups(const Context& ctx) const override;
  // NOT_FOUND, but of "v1" an empty list.
  absl::StatusOr<ResourceList> ServerResourcesForGroupVersion(
      const Context& ctx, absl::string_view group_version) const override;
  absl::StatusOr<version::Info> ServerVersion(const Context& ctx) const override;
  absl::StatusOr<GroupsAndMaybeResources> MaybeResources(const Context& ctx) const override;
  absl::StatusOr<ServerResources> ServerGroupsAndResources(const Context& ctx) const override;
  absl::StatusOr<ServerResources> ServerPreferredResources(const Context& ctx) const override;

  // (RESTClient)
  const rest::Client& client() const { return client_; }
  const DiscoveryClientOptions& options() const { return options_; }

 private:
  rest::Client client_;
  DiscoveryClientOptions options_;
};

// With a rest::Client of its own, made for discovery: the configuration's timeout where it has one,
// and, where it has a rate, bursts of 300 requests unless it says otherwise. Errors as
// rest::MakeClient; nothing is sent. (NewDiscoveryClientForConfig)
absl::StatusOr<DiscoveryClient> MakeDiscoveryClient(const rest::Config& config,
                                                    const DiscoveryClientOptions& options = {});

}  // namespace kube::discovery

#endif  // CLIENTSET_DISCOVERY_DISCOVERY_CLIENT_H_
