#include "clientset/expansions/pod.h"

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
#include "apimachinery/base/status.h"
#include "apimachinery/queryparams/queryparams.h"
#include "apimachinery/queryparams/values.h"
#include "apimachinery/watch/byte_stream.h"
#include "clientset/expansions/internal/proxy_get.h"
#include "clientset/expansions/proxy.h"
#include "clientset/rest/client.h"
#include "clientset/rest/request.h"
#include "clientset/typed/typed_client.h"

namespace kube::expansions {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
namespace policyv1 = api::policy::v1;

namespace {

using Pods = typed::TypedClient<corev1::Pod, corev1::PodList>;

Pods PodsOf(const rest::Client& client, absl::string_view namespace_name) {
  return Pods(client, {.version = "v1", .plural = "pods", .kind = "Pod", .built_in = true})
      .Namespace(namespace_name);
}

rest::Request LogRequest(absl::string_view namespace_name, absl::string_view name,
                         const corev1::PodLogOptions& options) {
  rest::Request request;
  request.resource = {.version = "v1", .resource = "pods"};
  request.namespace_name = std::string(namespace_name);
  request.name = std::string(name);
  request.subresource = {"log"};
  request.params = queryparams::EncodeParameters(options);
  return request;
}

}  // namespace

absl::Status PodExpansion::Bind(const Context& ctx, const corev1::Binding& binding,
                                const metav1::CreateOptions& options) const {
  return PodsOf(client_, namespace_name_)
      .CreateSubresource<corev1::Binding, metav1::Status>(
          ctx, binding.metadata.name.view(),
          {.name = "binding", .version = "v1", .kind = "Binding"}, binding, options)
      .status();
}

absl::Status PodExpansion::EvictV1(const Context& ctx, const policyv1::Eviction& eviction) const {
  return PodsOf(client_, namespace_name_)
      .CreateSubresource<policyv1::Eviction, metav1::Status>(
          ctx, eviction.metadata.name.view(),
          {.name = "eviction", .group = "policy", .version = "v1", .kind = "Eviction"}, eviction)
      .status();
}

absl::StatusOr<std::string> PodExpansion::GetLogs(const Context& ctx, absl::string_view name,
                                                  const corev1::PodLogOptions& options) const {
  KUBE_ASSIGN_OR_RETURN(rest::Result result,
                        client_.Do(ctx, LogRequest(namespace_name_, name, options)));
  return std::move(result.body);
}

absl::StatusOr<std::unique_ptr<watch::ByteStream>> PodExpansion::StreamLogs(
    const Context& ctx, absl::string_view name, const corev1::PodLogOptions& options) const {
  rest::Request request = LogRequest(namespace_name_, name, options);
  request.retry = rest::RetryRule::kStream;
  KUBE_ASSIGN_OR_RETURN(rest::StreamedResult result, client_.Stream(ctx, request));
  return std::move(result.body);
}

absl::StatusOr<rest::Result> PodExpansion::ProxyGet(const Context& ctx, const ProxyTarget& pod,
                                                    absl::string_view path,
                                                    const queryparams::Values& params) const {
  return internal::ProxyGet(ctx, client_, "pods", namespace_name_, pod, path, params);
}

}  // namespace kube::expansions
