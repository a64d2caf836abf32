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

// What PodClient has besides the verbs. (client-go's PodExpansion) Thread-safe.
//
//   corev1::PodClient pods = client.CoreV1().Pods("prod");
//   absl::StatusOr<std::string> log = pods.GetLogs(ctx, "web-0", {.container = "app"});
//   absl::Status status = pods.EvictV1(ctx, {.metadata = {.name = "web-0"}});
//   if (errors::IsTooManyRequests(status)) ...  // a disruption budget does not allow it now
//
// All calls block, until ctx is done at the latest, and have the errors of typed::TypedClient.
class PodExpansion {
 public:
  PodExpansion(rest::Client client, absl::string_view namespace_name)
      : client_(std::move(client)), namespace_name_(namespace_name) {}

  // Gives a pod, binding.metadata.name, to the node binding.target.name, as schedulers do.
  // errors::IsConflict: it has one.
  absl::Status Bind(const Context& ctx, const api::core::v1::Binding& binding,
                    const api::meta::v1::CreateOptions& options = {}) const;

  // Asks for a pod, eviction.metadata.name, to be deleted if that is within its disruption budgets.
  // errors::IsTooManyRequests: it is not; try again later. The pod is there for its grace period
  // yet.
  absl::Status EvictV1(const Context& ctx, const api::policy::v1::Eviction& eviction) const;

  // The log of a container, whole. With `follow` it comes when the container has ended; without
  // tail_lines or limit_bytes it may be long: see StreamLogs. (GetLogs(...).Do)
  absl::StatusOr<std::string> GetLogs(const Context& ctx, absl::string_view name,
                                      const api::core::v1::PodLogOptions& options = {}) const;

  // The same while it arrives: pieces, not lines. Returns when the answer has begun; `ctx` does not
  // matter after that. Destroying the stream ends the request. (GetLogs(...).Stream)
  absl::StatusOr<std::unique_ptr<watch::ByteStream>> StreamLogs(
      const Context& ctx, absl::string_view name,
      const api::core::v1::PodLogOptions& options = {}) const;

  // GETs `path` of a pod, through the API server. See ServiceExpansion::ProxyGet.
  absl::StatusOr<rest::Result> ProxyGet(const Context& ctx, const ProxyTarget& pod,
                                        absl::string_view path,
                                        const queryparams::Values& params = {}) const;

 private:
  rest::Client client_;
  std::string namespace_name_;
};

}  // namespace kube::expansions

#endif  // CLIENTSET_EXPANSIONS_POD_H_
