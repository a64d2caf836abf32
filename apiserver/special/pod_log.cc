#include "apiserver/special/pod_log.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/queryparams/queryparams.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;

// Sets `name` to the only container of the pod if it is empty, and checks it otherwise.
absl::Status ChooseContainer(const corev1::Pod& pod, std::string& name) {
  std::vector<std::string> all;
  for (const corev1::Container& each : pod.spec.containers) all.emplace_back(each.name);
  const size_t containers = all.size();
  for (const corev1::Container& each : pod.spec.init_containers) all.emplace_back(each.name);
  for (const auto& each : pod.spec.ephemeral_containers) all.emplace_back(each.name);
  const absl::string_view pod_name = pod.metadata.name.view();
  if (name.empty() && containers == 1) name = all[0];
  if (name.empty()) {
    return errors::BadRequest(absl::StrCat("a container name must be specified for pod ", pod_name,
                                           ", choose one of: [", absl::StrJoin(all, " "), "]"));
  }
  if (std::find(all.begin(), all.end(), name) != all.end()) return absl::OkStatus();
  return errors::BadRequest(absl::StrCat("container ", name, " is not valid for pod ", pod_name));
}

}  // namespace

absl::StatusOr<httpserver::Response> ServeLog(Core& core, Call& call) {
  Target target = call.target();
  target.subresource.clear();
  KUBE_ASSIGN_OR_RETURN(const ObjectPtr pod, core.registry.Get(target));
  const auto options = queryparams::DecodeParameters<corev1::PodLogOptions>(call.info.query);
  if (!options.ok()) return errors::BadRequest(options.status().message());
  std::string container = options->container;
  KUBE_RETURN_IF_ERROR(ChooseContainer(*pod->object().As<corev1::Pod>(), container));
  httpserver::Response response{.status = 200, .headers = {{"content-type", "text/plain"}}};
  base::MutexLock lock(core.mutex);
  auto it = core.logs.find({call.info.namespace_name, call.info.name, container});
  if (it != core.logs.end()) {
    response.body = it->second;
  } else if (pod->object().As<corev1::Pod>()->spec.node_name.empty()) {
    // The pod is not scheduled, so there is no node to ask.
    return httpserver::Response{.status = 204, .headers = {}, .body = {}};
  }
  return response;
}

}  // namespace kube::apiserver::internal
