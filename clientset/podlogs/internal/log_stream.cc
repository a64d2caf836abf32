#include "clientset/podlogs/internal/log_stream.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/backoff.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/watch/byte_stream.h"
#include "clientset/podlogs/follow.h"
#include "clientset/podlogs/internal/line_splitter.h"
#include "clientset/podlogs/internal/resume_point.h"
#include "clientset/podlogs/targets.h"
#include "clientset/rest/client.h"
#include "net/httpclient/transport_error.h"

namespace kube::podlogs::internal {
namespace {

constexpr size_t kMaxLineBytes = size_t{1} << 20;

constexpr base::Backoff kBackoff = {.duration = absl::Milliseconds(500),
                                    .factor = 2,
                                    .jitter = 0.2,
                                    .steps = 10,
                                    .cap = absl::Seconds(30)};
// After this time without a failure the pauses are short again.
constexpr absl::Duration kBackoffReset = absl::Minutes(2);

// Returns whether the server may answer otherwise in a moment: the container does not run yet, the
// node cannot be reached, or the server has too much to do.
bool MayPass(const absl::Status& error) {
  return errors::IsBadRequest(error) || errors::IsInternalError(error) ||
         errors::IsServiceUnavailable(error) || errors::IsServerTimeout(error) ||
         errors::IsTimeout(error) || errors::IsTooManyRequests(error);
}

}  // namespace

LogStream::LogStream(const rest::Client& client, const Target& target, const FollowOptions& options)
    : pods_(client, target.namespace_name),
      target_(target),
      options_(options),
      resumes_(options.log.follow && !options.log.limit_bytes.has_value()) {}

absl::Status LogStream::Run(const Context& ctx, Sink sink) {
  base::BackoffManager backoff(kBackoff, kBackoffReset);
  while (true) {
    const Attempt attempt = Try(ctx, sink);
    if (ctx.done()) return ctx.status();
    if (!attempt.may_try_again) return attempt.status;
    KUBE_VLOG_CTX(ctx, 2, "reading a log again",
                  {"pod", log::KRef(target_.namespace_name, target_.pod)},
                  {"container", target_.container}, {"err", attempt.status});
    KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, backoff.Step()));
  }
}

LogStream::Attempt LogStream::Try(const Context& ctx, Sink sink) {
  absl::StatusOr<std::unique_ptr<watch::ByteStream>> body =
      pods_.StreamLogs(ctx, target_.pod, Parameters());
  if (!body.ok()) return Refused(body.status());
  was_open_ = true;
  refused_since_.reset();
  point_.Resume();
  in_line_ = false;
  return Read(ctx, **body, sink);
}

LogStream::Attempt LogStream::Read(const Context& ctx, watch::ByteStream& body, Sink sink) {
  LineSplitter splitter(kMaxLineBytes);
  const auto pass = [&](absl::string_view line) { return Pass(line, sink); };
  while (true) {
    absl::StatusOr<std::string> bytes = body.Read(ctx);
    if (!bytes.ok()) {
      // What has come of the last line is dropped: all of it will come again.
      if (resumes_) return {.status = bytes.status(), .may_try_again = true};
      if (const absl::Status rest = splitter.Finish(pass); !rest.ok()) return {.status = rest};
      return {.status = bytes.status()};
    }
    if (bytes->empty()) return {.status = splitter.Finish(pass)};
    if (const absl::Status added = splitter.Add(*bytes, pass); !added.ok()) {
      return {.status = added};
    }
    body.Recycle(*std::move(bytes));
  }
}

absl::Status LogStream::Pass(absl::string_view line, Sink sink) {
  if (!resumes_) return sink(line);
  if (std::exchange(in_line_, !absl::EndsWith(line, "\n"))) {
    return is_repeated_ ? absl::OkStatus() : sink(line);
  }
  const std::optional<StampedLine> stamped = ParseStamp(line);
  is_repeated_ = stamped.has_value() && !point_.IsNew(stamped->time);
  if (is_repeated_) return absl::OkStatus();
  // A message of the server itself has no timestamp.
  return sink(stamped.has_value() && !options_.log.timestamps ? stamped->text : line);
}

LogStream::Attempt LogStream::Refused(const absl::Status& error) {
  if (!options_.log.follow) return {.status = error};
  // The pod has gone while its log was followed, and so the log has ended.
  if (was_open_ && errors::IsNotFound(error)) return {};
  if (was_open_ && httpclient::TransportErrorOf(error).has_value()) {
    return {.status = error, .may_try_again = resumes_};
  }
  if (!MayPass(error)) return {.status = error};
  const base::MonotonicTime now = base::Now();
  if (!refused_since_.has_value()) refused_since_ = now;
  return {.status = error, .may_try_again = now - *refused_since_ < options_.start_timeout};
}

api::core::v1::PodLogOptions LogStream::Parameters() const {
  api::core::v1::PodLogOptions parameters = options_.log;
  parameters.container = target_.container;
  if (!resumes_) return parameters;
  parameters.timestamps = true;
  if (const std::optional<absl::Time> since = point_.since(); since.has_value()) {
    parameters.since_time = *since;  // rounded down to a whole second
    parameters.since_seconds.reset();
    parameters.tail_lines.reset();
  }
  return parameters;
}

}  // namespace kube::podlogs::internal
