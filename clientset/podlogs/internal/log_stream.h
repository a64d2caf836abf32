#ifndef CLIENTSET_PODLOGS_INTERNAL_LOG_STREAM_H_
#define CLIENTSET_PODLOGS_INTERNAL_LOG_STREAM_H_

#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/watch/byte_stream.h"
#include "clientset/expansions/pod.h"
#include "clientset/podlogs/follow.h"
#include "clientset/podlogs/internal/line_splitter.h"
#include "clientset/podlogs/internal/resume_point.h"
#include "clientset/podlogs/targets.h"
#include "clientset/rest/client.h"

namespace kube::podlogs::internal {

// Reads the log of one container. Thread-compatible; use it once.
class LogStream {
 public:
  // Takes a line, without prefix, and blocks as long as it likes. An error ends the stream.
  using Sink = absl::FunctionRef<absl::Status(absl::string_view line)>;

  // `target` and `options` must outlive this object.
  LogStream(const rest::Client& client, const Target& target, const FollowOptions& options);

  // Blocks until the log has ended. Returns the error of the request, or of `sink`, which is never
  // tried again; or ctx.status().
  absl::Status Run(const Context& ctx, Sink sink);

 private:
  // What one request has come to.
  struct Attempt {
    absl::Status status = {};
    bool may_try_again = false;
  };

  Attempt Try(const Context& ctx, Sink sink);
  Attempt Read(const Context& ctx, watch::ByteStream& body, Sink sink);
  absl::Status Pass(absl::string_view line, Sink sink);
  // The log could not be requested. Decides what that means.
  Attempt Refused(const absl::Status& error);
  // Returns what to ask of the server now.
  api::core::v1::PodLogOptions Parameters() const;

  const expansions::PodExpansion pods_;
  const Target& target_;
  const FollowOptions& options_;
  // Whether a broken stream is requested again, for which the lines have timestamps.
  const bool resumes_;
  ResumePoint point_;
  // Whether the next piece goes on with a line that is passed on in pieces, and whether that line
  // was seen before. Only its first piece has a timestamp.
  bool in_line_ = false;
  bool is_repeated_ = false;
  bool was_open_ = false;
  // Since when the server refuses the request.
  std::optional<base::MonotonicTime> refused_since_;
};

}  // namespace kube::podlogs::internal

#endif  // CLIENTSET_PODLOGS_INTERNAL_LOG_STREAM_H_
