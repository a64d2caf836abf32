#ifndef CLIENTSET_EXPANSIONS_POD_H_
#define CLIENTSET_EXPANSIONS_POD_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "api/policy/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/queryparams/values.h"
#include "apimachinery/watch/byte_stream.h"
#include "clientset/expansions/proxy.h"
#include "clientset/rest/client.h"

namespace kube::expansions {

// Methods of PodClient in addition to the verbs. Thread-safe. (client-go: `PodExpansion`)
//
//   const corev1::PodClient pods = client.CoreV1().Pods("prod");
//   return pods.GetLogs(ctx, "web-0", {.container = "app", .tail_lines = 100});
//
// All calls block until they are done, but at most until `ctx` is, and return the errors of
// typed::TypedClient.
class PodExpansion {
 public:
  PodExpansion(rest::Client client, absl::string_view namespace_name)
      : client_(std::move(client)), namespace_name_(namespace_name) {}

  // Assigns the pod binding.metadata.name to the node binding.target.name, as schedulers do.
  // Returns a conflict (errors::IsConflict) if the pod has a node already.
  absl::Status Bind(const Context& ctx, const api::core::v1::Binding& binding,
                    const api::meta::v1::CreateOptions& options = {}) const;

  // Requests that the pod eviction.metadata.name be deleted if its disruption budgets allow that.
  // Returns an error of kind errors::IsTooManyRequests if they do not; try again later. The pod
  // continues to exist for its grace period.
  //
  //   const absl::Status status =
  //       client.CoreV1().Pods("prod").EvictV1(ctx, {.metadata = {.name = "web-0"}});
  //   if (errors::IsTooManyRequests(status)) return absl::OkStatus();  // not now, says a budget
  absl::Status EvictV1(const Context& ctx, const api::policy::v1::Eviction& eviction) const;

  // Returns the whole log of a container. With options.follow it blocks until the container has
  // ended. Without tail_lines or limit_bytes the log may be long: see StreamLogs. (client-go:
  // `GetLogs(...).Do`)
  absl::StatusOr<std::string> GetLogs(const Context& ctx, absl::string_view name,
                                      const api::core::v1::PodLogOptions& options = {}) const;

  // Returns the log as a stream of pieces, which need not be lines. Blocks until the response has
  // begun; after that `ctx` no longer matters. Destroying the stream ends the request. (client-go:
  // `GetLogs(...).Stream`)
  absl::StatusOr<std::unique_ptr<watch::ByteStream>> StreamLogs(
      const Context& ctx, absl::string_view name,
      const api::core::v1::PodLogOptions& options = {}) const;

  // Sends a GET for `path` to a pod through the API server. See ServiceExpansion::ProxyGet.
  absl::StatusOr<rest::Result> ProxyGet(const Context& ctx, const ProxyTarget& pod,
                                        absl::string_view path,
                                        const queryparams::Values& params = {}) const;

 private:
  rest::Client client_;
  std::string namespace_name_;
};

}  // namespace kube::expansions

#endif  // CLIENTSET_EXPANSIONS_POD_H_
