#include "apiserver/verbs/watch.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/status.h"
#include "apimachinery/scheme/media_type.h"
#include "apimachinery/scheme/negotiate.h"
#include "apiserver/call/answer.h"
#include "apiserver/call/call.h"
#include "apiserver/call/call_matcher.h"
#include "apiserver/call/core.h"
#include "apiserver/call/list_options.h"
#include "apiserver/encoding/output.h"
#include "apiserver/errors/plain_error.h"
#include "apiserver/resources.h"
#include "apiserver/watch/watch_stream.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;

absl::Duration TimeoutOf(const metav1::ListOptions& options) {
  if (options.timeout_seconds.has_value() && *options.timeout_seconds > 0) {
    return absl::Seconds(*options.timeout_seconds);
  }
  // Random, so that watches do not all end at once (kube-apiserver: `minRequestTimeout`).
  return absl::Minutes(30) * (1 + base::UniformDouble());
}

}  // namespace

absl::StatusOr<Answer> ServeWatch(Core& core, Call& call) {
  KUBE_ASSIGN_OR_RETURN(const metav1::ListOptions options, ListOptionsOf(call, /*watch=*/true));
  WatchParameters watch{.resource = std::shared_ptr<const Resource>(call.resources, call.resource),
                        .prefix = call.resource->PrefixOf(call.info.namespace_name)};
  KUBE_ASSIGN_OR_RETURN(watch.matcher, MatcherFor(core, call, options));
  const absl::StatusOr<int64_t> revision = ParseRevision(options.resource_version.view());
  if (!revision.ok()) return PlainError(revision.status().message());
  const absl::StatusOr<scheme::SerializerInfo> stream = scheme::NegotiateOutputMediaTypeStream(
      call.request->headers.Get("accept").value_or(""), scheme::SupportedMediaTypes());
  watch.output = call.output;
  // Each event is one line.
  watch.output.pretty = false;
  if (stream.ok() && call.output.transform == Transform::kNone) {
    watch.output.format = stream->format;
  } else if (call.output.format == scheme::Format::kYaml) {
    watch.output.format = scheme::Format::kJson;
  }
  watch.after = *revision;
  const bool wants_initial = options.send_initial_events.value_or(false);
  watch.initial = wants_initial || (*revision == 0 && !options.send_initial_events.has_value());
  watch.initial_bookmark = wants_initial && options.allow_watch_bookmarks;
  watch.bookmarks = options.allow_watch_bookmarks;
  if (!watch.initial && *revision == 0) watch.after = core.storage.revision();
  // Such a watch must include everything that exists now, even if the cache lags.
  if (wants_initial && options.resource_version.empty()) watch.after = core.storage.revision();
  watch.timeout = TimeoutOf(options);
  watch.faults = call.faults;
  if (watch.bookmarks && watch.faults != nullptr) {
    if (const auto bookmarks = watch.faults->Bookmarks()) {
      watch.initial_bookmark &= bookmarks->initial_end;
      watch.bookmark_interval = bookmarks->interval;
    }
  }
  return Answer(std::make_unique<WatchStream>(core.storage, std::move(watch)));
}

}  // namespace kube::apiserver::internal
