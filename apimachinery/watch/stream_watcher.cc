#include "apimachinery/watch/stream_watcher.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"

namespace kube::watch::internal {

absl::Status UndecodableStream(const absl::Status& cause) {
  return errors::ClientError(
      500, "GET", "ClientWatchDecoding",
      absl::StrCat("unable to decode an event from the watch stream: ", cause.message()));
}

absl::Status BrokenStream(const absl::Status& cause) {
  return base::Annotate(cause, "read watch stream");
}

absl::Status TruncatedStream() {
  return absl::UnavailableError("read watch stream: it ended in the middle of an event");
}

}  // namespace kube::watch::internal
