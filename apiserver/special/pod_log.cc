#include "apiserver/special/pod_log.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/queryparams/queryparams.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apiserver/call/answer.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/container.h"
#include "apiserver/containers/container_log.h"
#include "apiserver/containers/container_table.h"
#include "apiserver/containers/log_reader.h"
#include "apiserver/containers/log_session.h"
#include "apiserver/containers/pod_logs.h"
#include "apiserver/object.h"
#include "apiserver/streaming/pod_target.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;
namespace field = validation::field;

// As upstream's `ValidatePodLogOptions`, without the gate PodLogsQuerySplitStreams.
absl::Status CheckOptions(const corev1::PodLogOptions& options, absl::string_view pod) {
  field::ErrorList wrong;
  if (options.tail_lines.has_value() && *options.tail_lines < 0) {
    wrong.push_back(field::Invalid(field::Path("tailLines"), *options.tail_lines,
                                   "must be greater than or equal to 0"));
  }
  if (options.limit_bytes.has_value() && *options.limit_bytes < 1) {
    wrong.push_back(
        field::Invalid(field::Path("limitBytes"), *options.limit_bytes, "must be greater than 0"));
  }
  if (options.since_seconds.has_value() && options.since_time.has_value()) {
    wrong.push_back(field::Forbidden(
        field::Path(""), "at most one of `sinceTime` or `sinceSeconds` may be specified"));
  } else if (options.since_seconds.has_value() && *options.since_seconds < 1) {
    wrong.push_back(field::Invalid(field::Path("sinceSeconds"), *options.since_seconds,
                                   "must be greater than 0"));
  }
  if (options.stream.has_value()) {
    wrong.push_back(field::Forbidden(field::Path("stream"), "may not be specified"));
  }
  if (wrong.empty()) return absl::OkStatus();
  return errors::Invalid({.group = "", .kind = "PodLogOptions"}, pod, wrong);
}

LogFilter FilterOf(const corev1::PodLogOptions& options) {
  LogFilter filter;
  if (options.tail_lines.has_value()) filter.tail_lines = *options.tail_lines;
  if (options.limit_bytes.has_value()) filter.limit_bytes = *options.limit_bytes;
  filter.timestamps = options.timestamps;
  if (options.since_seconds.has_value()) {
    filter.since = base::WallNow() - absl::Seconds(*options.since_seconds);
  } else if (options.since_time.has_value() && !options.since_time->IsZero()) {
    filter.since = options.since_time->ToAbslTime();
  }
  return filter;
}

// Returns null if nobody has written a status of the container.
const corev1::ContainerStatus* StatusOf(const corev1::Pod& pod, absl::string_view container) {
  for (const auto* statuses : {&pod.status.container_statuses, &pod.status.init_container_statuses,
                               &pod.status.ephemeral_container_statuses}) {
    for (const corev1::ContainerStatus& each : *statuses) {
      if (each.name == container) return &each;
    }
  }
  return nullptr;
}

bool HasEnded(const corev1::Pod& pod, absl::string_view container) {
  const corev1::ContainerStatus* status = StatusOf(pod, container);
  return status != nullptr && status->state.terminated.has_value();
}

// Returns the error of a kubelet that has no log of the container, or OK if it would have one. A
// container without a status is taken for one that has written nothing: tests seldom write one.
absl::Status CheckHasRun(const corev1::Pod& pod, absl::string_view container, bool previous) {
  const std::string named =
      absl::StrCat("container \"", container, "\" in pod \"", pod.metadata.name.view(), "\"");
  const corev1::ContainerStatus* status = StatusOf(pod, container);
  const corev1::ContainerStateTerminated* last =
      status == nullptr ? nullptr : status->last_state.terminated.get();
  const bool has_last = last != nullptr && !last->container_id.empty();
  if (previous) {
    if (has_last) return absl::OkStatus();
    return errors::BadRequest(absl::StrCat("previous terminated ", named, " not found"));
  }
  if (status == nullptr || status->state.running || has_last) return absl::OkStatus();
  if (status->state.terminated && !status->state.terminated->container_id.empty()) {
    return absl::OkStatus();
  }
  if (status->state.terminated || last != nullptr) {
    return errors::BadRequest(absl::StrCat(named, " is terminated"));
  }
  if (!status->state.waiting) {
    return errors::BadRequest(absl::StrCat(named, " is waiting to start - no logs yet"));
  }
  absl::string_view why = status->state.waiting->reason.view();
  if (why == "ErrImagePull") why = "image can't be pulled";
  if (why == "ImagePullBackOff") why = "trying and failing to pull image";
  return errors::BadRequest(absl::StrCat(named, " is waiting to start: ", why));
}

// Returns whether a container that has no log yet may get one.
bool MayWrite(const Core& core, const corev1::Pod& pod, const ContainerName& name) {
  const corev1::ContainerStatus* status = StatusOf(pod, name.container);
  return core.containers->Find(name) != nullptr ||
         (status != nullptr && status->state.running.has_value());
}

httpserver::Response TextResponse(std::string text) {
  return {.status = 200, .headers = {{"content-type", "text/plain"}}, .body = std::move(text)};
}

// The log ends when the pod is gone, or when its status says that the container has ended.
FollowedLog Follow(Core& core, const Call& call, const corev1::Pod& pod,
                   const std::string& container, std::shared_ptr<ContainerLog> log,
                   const LogFilter& filter) {
  const std::string resource = call.resource->storage;
  const std::string key = call.resource->KeyOf(call.info.namespace_name, call.info.name);
  const std::string uid(pod.metadata.uid.view());
  LogReader reader(log, filter);
  return {.owner = nullptr,
          .log = std::move(log),
          .reader = std::move(reader),
          .container_ended =
              [&core, resource, key, uid, container] {
                const ObjectPtr now = core.storage.Get(resource, key);
                return now == nullptr || now->metadata().uid != uid ||
                       HasEnded(*now->object().As<corev1::Pod>(), container);
              },
          .watch_container =
              [&core, resource, key](std::function<void()> changed) {
                return core.storage.Watch(resource, key, std::move(changed));
              }};
}

}  // namespace

absl::StatusOr<Answer> ServeLog(Core& core, Call& call) {
  const auto options = queryparams::DecodeParameters<corev1::PodLogOptions>(call.info.query);
  if (!options.ok()) return errors::BadRequest(options.status().message());
  KUBE_RETURN_IF_ERROR(CheckOptions(*options, call.info.name));
  KUBE_ASSIGN_OR_RETURN(const ObjectPtr found, PodOf(core, call));
  const corev1::Pod& pod = *found->object().As<corev1::Pod>();
  ContainerName name = {.namespace_name = call.info.namespace_name,
                        .pod = call.info.name,
                        .container = std::string(options->container.view())};
  KUBE_RETURN_IF_ERROR(ChooseContainer(pod, name.container));
  std::shared_ptr<ContainerLog> log =
      options->previous ? core.logs->Previous(name) : core.logs->Current(name);
  if (log == nullptr && pod.spec.node_name.empty()) {
    // The pod is not scheduled, so there is no node to ask.
    return Answer(httpserver::Response{.status = 204, .headers = {}, .body = {}});
  }
  const bool may_write = !options->previous && MayWrite(core, pod, name);
  if (log == nullptr && !may_write) {
    KUBE_RETURN_IF_ERROR(CheckHasRun(pod, name.container, options->previous));
  }
  if (log == nullptr && may_write && options->follow) log = core.logs->CurrentOrNew(name);
  if (log == nullptr) return Answer(TextResponse(""));
  const LogFilter filter = FilterOf(*options);
  if (!options->follow) return Answer(TextResponse(LogReader(std::move(log), filter).Rest()));
  return Answer(std::make_unique<FollowedLog>(
      Follow(core, call, pod, name.container, std::move(log), filter)));
}

}  // namespace kube::apiserver::internal
