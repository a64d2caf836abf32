#include "clientset/portforward/internal/splice.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "clientset/portforward/internal/local_socket.h"
#include "clientset/portforward/port_stream.h"

// One thread per direction: reading a stream of the session blocks, and so does reading a socket,
// so an event loop for the sockets would only replace one of the two threads. A thread that waits
// costs some ten kilobytes; hundreds of connections are no problem.
//
// The end of the pod's data alone does not tell whether the pod still wants ours. kubelets end the
// stream for errors when the connection in the pod is over, so that end is awaited, while the other
// thread goes on. client-go ends the connection at the end of the pod's data.
namespace kube::portforward::internal {
namespace {

// How long the end of the stream for errors is awaited when both sides have ended, and how long the
// rest of the pod's data may take when the pod takes no more.
constexpr absl::Duration kPatience = absl::Seconds(5);

class Splicer {
 public:
  Splicer(const Context& ctx, LocalSocket& local, PortStream& remote)
      : local_(local), remote_(remote), scope_(WithCancel(ctx)) {}

  absl::Status Run(const Context& ctx) {
    // The calls of a socket know no context.
    const DoneCallback wake = scope_.context().OnDone([this] { local_.End(); });
    base::Thread uploader;
    absl::Status status = uploader.Start(scope_.context(), "port-forward-up",
                                         [this](const Context& up) { Upload(up); });
    if (status.ok()) {
      status = Download(scope_.context());
      // The first end counts; the other side fails because of it.
      scope_.Cancel(status);
      uploader.Join();
      status = scope_.context().cause();
    }
    scope_.Cancel();
    remote_.Close();
    KUBE_RETURN_IF_ERROR(ctx.status());
    // An end without a reason, which is that of a local program that has gone.
    return absl::IsCancelled(status) ? absl::OkStatus() : status;
  }

 private:
  // From the local program to the pod.
  void Upload(const Context& ctx) {
    while (true) {
      const absl::StatusOr<absl::string_view> bytes = local_.Read();
      if (ctx.done()) return;
      if (!bytes.ok()) return scope_.Cancel();
      if (bytes->empty()) break;
      const absl::Status status = remote_.Write(ctx, *bytes);
      if (!status.ok()) return EndSoon(ctx, status);
    }
    const absl::Status status = remote_.CloseWrite();
    if (!status.ok()) return EndSoon(ctx, status);
    uploaded_.Set();
  }

  // The pod takes no more. Download passes on what has arrived before, such as an answer to half a
  // request, and then meets the same error, for which it knows the kubelet's reason.
  void EndSoon(const Context& ctx, const absl::Status& status) {
    base::WaitUntilDone(WithTimeout(ctx, kPatience)).IgnoreError();
    scope_.Cancel(status);
  }

  // From the pod to the local program. Returns the outcome of the connection.
  absl::Status Download(const Context& ctx) {
    while (true) {
      KUBE_ASSIGN_OR_RETURN(std::string bytes, remote_.Read(ctx));
      if (bytes.empty()) break;
      if (!local_.Write(bytes).ok()) return absl::OkStatus();
      remote_.Recycle(std::move(bytes));
    }
    local_.CloseWrite();
    return AwaitOutcome(ctx);
  }

  // Waits for the kubelet to say that the connection is over, as long as our bytes may still be
  // wanted, and a moment longer.
  absl::Status AwaitOutcome(const Context& ctx) {
    while (true) {
      const bool uploaded = uploaded_.IsSet();
      const Context patience = WithTimeout(ctx, kPatience);
      const absl::Status outcome = remote_.Outcome(patience);
      if (!patience.done() || ctx.done()) return outcome;
      if (uploaded) return absl::OkStatus();
    }
  }

  LocalSocket& local_;
  PortStream& remote_;
  CancelScope scope_;
  base::Event uploaded_;
};

}  // namespace

absl::Status Splice(const Context& ctx, LocalSocket& local, PortStream& remote) {
  return Splicer(ctx, local, remote).Run(ctx);
}

}  // namespace kube::portforward::internal
