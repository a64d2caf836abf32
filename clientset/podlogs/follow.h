#ifndef CLIENTSET_PODLOGS_FOLLOW_H_
#define CLIENTSET_PODLOGS_FOLLOW_H_

#include <cstdint>
#include <functional>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "clientset/podlogs/targets.h"
#include "clientset/rest/client.h"

// Logs of several containers and pods at a time: what `kubectl logs` does. For one container,
// PodClient::GetLogs and StreamLogs are enough. Thread-safe.
namespace kube::podlogs {

// How many lines of each log kubectl shows if a selector chooses the pods.
inline constexpr int64_t kSelectorTailLines = 10;

struct FollowOptions {
  // What is asked of the server for each container; `container` is ignored. Default: the whole log
  // up to now. Set `follow` to go on with what the containers write.
  api::core::v1::PodLogOptions log = {};
  // Writes "[pod/web-0/app] " before each line. (kubectl: `--prefix`)
  bool prefix = false;
  // Goes on with the other containers when the log of one fails. Default: Follow returns the first
  // error. (kubectl: `--ignore-errors`)
  bool ignore_errors = false;
  // The number of logs that may be followed at a time, each with a thread and a connection or a
  // stream of one. More targets are an error. Default: as kubectl's `--max-log-requests`.
  int max_concurrent = 5;
  // How long a container that is followed may take to start. Default: as kubectl's
  // `--pod-running-timeout`.
  absl::Duration start_timeout = absl::Seconds(20);
  // Called on the calling thread for each error that ignore_errors ignores. If empty, the errors
  // are logged.
  std::function<void(const Target& target, const absl::Status& error)> on_error = {};
};

// Receives a whole line, with its end of line, and with the prefix and the timestamp if they were
// asked for. Lines of more than a mebibyte come in pieces. If there are several targets, a last
// line that has no end of line gets one. Called on the calling thread. An error ends Follow, which
// returns it.
using LineSink = std::function<absl::Status(absl::string_view line)>;

// Reads the logs of containers, and blocks until they have ended: at once, one log after the other
// in the order of `targets`; or, with `log.follow`, all at the same time, until the containers have
// ended or `ctx` is done. Lines of one container keep their order.
//
//   const auto print = [](absl::string_view line) {
//     std::cout << line << std::flush;
//     return absl::OkStatus();
//   };
//   return podlogs::Follow(ctx, client, targets, {.log = {.follow = true}, .prefix = true}, print);
//
// If the stream of a followed log breaks, it is requested again, with growing pauses, from the last
// line on, and no line comes twice; client-go and kubectl end with it. For this, timestamps are
// requested from the server, and removed if they were not asked for. With `log.limit_bytes`, which
// counts them, a broken stream is an error. What a node has rotated away meanwhile is missing, and
// so is the rest of a line in pieces within which the stream has broken.
//
// A stream that the server ends in order is the end of the log. That is when the container has
// ended, but also when the API server has lost the node, which it does not tell: a program that
// must not miss anything looks at the pod, and calls Follow again with `log.since_time`.
//
// Returns OK if there are no targets. Returns INVALID_ARGUMENT, with kubectl's text, if more logs
// are to be followed than options.max_concurrent. Otherwise returns the errors of the requests,
// which name the pod and the container, unless options.ignore_errors is set; the error of `sink`;
// and ctx.status() when `ctx` is done.
absl::Status Follow(const Context& ctx, const rest::Client& client,
                    absl::Span<const Target> targets, const FollowOptions& options,
                    const LineSink& sink);

// Chooses containers by a label selector (SelectTargets), and reads their logs. As with kubectl,
// these are the last kSelectorTailLines lines of each unless options.log.tail_lines is set. Pods
// that appear later are not added.
absl::Status FollowSelector(const Context& ctx, const rest::Client& client,
                            absl::string_view namespace_name, absl::string_view label_selector,
                            const ContainerChoice& choice, const FollowOptions& options,
                            const LineSink& sink);

}  // namespace kube::podlogs

#endif  // CLIENTSET_PODLOGS_FOLLOW_H_
