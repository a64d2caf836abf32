#include "clientset/portforward/forwarder.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/meta/object_name.h"
#include "clientset/portforward/internal/pod_connector.h"
#include "clientset/portforward/internal/pod_stream.h"
#include "clientset/portforward/port_stream.h"
#include "clientset/rest/client.h"
#include "net/http/headers.h"
#include "net/io/duplex_stream.h"
#include "net/spdy/frame.h"
#include "net/spdy/session.h"

// One SPDY session at a time, which the first thread makes that finds none or a lost one. Threads
// that come meanwhile wait for its result, also for its error: if two hundred programs connect to a
// pod that has gone, the server is asked once.
namespace kube::portforward {
namespace {

// How long a connection that takes no more streams may take to end.
constexpr absl::Duration kPatienceAtEnd = absl::Milliseconds(100);

std::string TextOf(const meta::ObjectName& pod) {
  return absl::StrCat("pod \"", pod.name, "\" in \"", pod.namespace_name, "\"");
}

spdy::SessionOptions SessionOptionsOf(const ForwarderOptions& options) {
  spdy::SessionOptions session;
  session.connection.role = spdy::Role::kClient;
  session.ping_interval = options.ping_interval;
  session.reply_timeout = options.reply_timeout;
  session.max_buffered_bytes = options.max_buffered_bytes;
  session.max_waiting_streams = 0;  // a kubelet opens none
  return session;
}

// Returns whether a session that has refused a stream with `error` ends. A peer that closes the
// connection refuses streams and says goodbye, and only then does the connection end. A session
// that ends refuses streams with its own error, a moment before its context is done.
bool Ends(const Context& ctx, const spdy::Session& session, const absl::Status& error) {
  // A peer that is silent does not say goodbye.
  if (!absl::IsDeadlineExceeded(error)) {
    CancelScope scope = WithCancel(WithTimeout(ctx, kPatienceAtEnd));
    const DoneCallback ended = session.context().OnDone([&scope] { scope.Cancel(); });
    base::WaitUntilDone(scope.context()).IgnoreError();
  }
  return session.context().done();
}

http::Headers HeadersOf(absl::string_view type, uint16_t port, uint64_t request_id) {
  return {{"streamtype", std::string(type)},
          {"port", absl::StrCat(port)},
          {"requestid", absl::StrCat(request_id)}};
}

}  // namespace

struct Forwarder::Impl {
  Impl(Connector connector, const meta::ObjectName& pod, const ForwarderOptions& options)
      : connector_(std::move(connector)), pod_(pod), options_(SessionOptionsOf(options)) {}

  // Returns the session. Connects first if that was not done yet, or if the session is lost.
  absl::StatusOr<std::shared_ptr<spdy::Session>> Current(const Context& ctx)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Opens the two streams of a connection.
  absl::StatusOr<std::unique_ptr<PortStream>> Open(const Context& ctx, spdy::Session& session,
                                                   uint16_t port) ABSL_LOCKS_EXCLUDED(mutex_);
  void Close() ABSL_LOCKS_EXCLUDED(mutex_);

  // What a thread that needs a session has to do.
  struct Turn {
    std::shared_ptr<spdy::Session> found = {};  // use it
    std::shared_ptr<spdy::Session> lost = {};   // otherwise: destroy it, and connect
  };
  absl::StatusOr<Turn> TakeTurn(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  void EndTurn(const absl::StatusOr<std::shared_ptr<spdy::Session>>& made, bool given_up)
      ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<std::shared_ptr<spdy::Session>> Make(const Context& ctx);
  uint64_t NextRequestId() ABSL_LOCKS_EXCLUDED(mutex_);

  const Connector connector_;
  const meta::ObjectName pod_;
  const spdy::SessionOptions options_;
  // That of the sessions; it ends with Close.
  CancelScope lifetime_ = WithCancel(Context());

  base::Mutex mutex_;
  base::CondVar changed_;
  bool connecting_ ABSL_GUARDED_BY(mutex_) = false;
  // Why the last attempt failed; OK if its thread gave it up.
  absl::Status failure_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<spdy::Session> session_ ABSL_GUARDED_BY(mutex_);
  uint64_t next_request_id_ ABSL_GUARDED_BY(mutex_) = 0;
};

absl::StatusOr<std::shared_ptr<spdy::Session>> Forwarder::Impl::Current(const Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(Turn turn, TakeTurn(ctx));
  if (turn.found != nullptr) return turn.found;
  turn.lost.reset();  // joins its thread
  absl::StatusOr<std::shared_ptr<spdy::Session>> made = Make(ctx);
  EndTurn(made, ctx.done());
  return made;
}

absl::StatusOr<Forwarder::Impl::Turn> Forwarder::Impl::TakeTurn(const Context& ctx) {
  base::MutexLock lock(mutex_);
  const bool waits = connecting_;
  KUBE_RETURN_IF_ERROR(changed_.Wait(
      ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !connecting_; }));
  if (lifetime_.context().done()) return absl::FailedPreconditionError("the forwarder is closed");
  if (session_ != nullptr && !session_->context().done()) return Turn{.found = session_};
  if (waits && !failure_.ok()) return failure_;
  connecting_ = true;
  return Turn{.lost = std::exchange(session_, nullptr)};
}

void Forwarder::Impl::EndTurn(const absl::StatusOr<std::shared_ptr<spdy::Session>>& made,
                              bool given_up) {
  base::MutexLock lock(mutex_);
  connecting_ = false;
  failure_ = given_up ? absl::OkStatus() : made.status();
  if (made.ok()) session_ = *made;
  changed_.NotifyAll();
}

absl::StatusOr<std::shared_ptr<spdy::Session>> Forwarder::Impl::Make(const Context& ctx) {
  CancelScope scope = WithCancel(ctx);
  const DoneCallback closed = lifetime_.context().OnDone([&scope] { scope.Cancel(); });
  KUBE_ASSIGN_OR_RETURN(std::unique_ptr<io::DuplexStream> connection, connector_(scope.context()));
  KUBE_ASSIGN_OR_RETURN(std::unique_ptr<spdy::Session> made,
                        spdy::Session::Start(lifetime_.context(), std::move(connection), options_));
  return std::shared_ptr<spdy::Session>(std::move(made));
}

absl::StatusOr<std::unique_ptr<PortStream>> Forwarder::Impl::Open(const Context& ctx,
                                                                  spdy::Session& session,
                                                                  uint16_t port) {
  const uint64_t id = NextRequestId();
  const std::string description = absl::StrCat("forward to port ", port, " of ", TextOf(pod_));
  // The kubelet pairs the streams by the id. As in client-go the stream for errors comes first.
  KUBE_ASSIGN_OR_RETURN(std::unique_ptr<spdy::SessionStream> stream,
                        session.OpenStream(ctx, HeadersOf("error", port, id)), description,
                        ": open error stream");
  KUBE_RETURN_IF_ERROR(stream->CloseWrite(), description, ": open error stream");
  auto error = std::make_unique<internal::ErrorStream>(description, std::move(stream));
  absl::StatusOr<std::unique_ptr<spdy::SessionStream>> data =
      session.OpenStream(ctx, HeadersOf("data", port, id));
  if (!data.ok()) {
    const absl::Duration patience =
        absl::IsAborted(data.status()) ? internal::kPatienceAfterFailure : absl::ZeroDuration();
    return error->Explain(ctx, patience, base::Annotate(data.status(), "open data stream"));
  }
  return std::make_unique<internal::PodStream>(port, std::move(error), *std::move(data));
}

uint64_t Forwarder::Impl::NextRequestId() {
  base::MutexLock lock(mutex_);
  return next_request_id_++;
}

void Forwarder::Impl::Close() {
  lifetime_.Cancel(absl::CancelledError("the forwarder was closed"));
  std::shared_ptr<spdy::Session> last;
  {
    base::MutexLock lock(mutex_);
    last = std::exchange(session_, nullptr);
  }
  if (last != nullptr) last->Close();
}

absl::StatusOr<std::unique_ptr<Forwarder>> Forwarder::Connect(const Context& ctx,
                                                              const rest::Client& client,
                                                              const meta::ObjectName& pod,
                                                              const ForwarderOptions& options) {
  return Connect(ctx, internal::MakePodConnector(client, pod, options.websocket), pod, options);
}

absl::StatusOr<std::unique_ptr<Forwarder>> Forwarder::Connect(const Context& ctx,
                                                              Connector connector,
                                                              const meta::ObjectName& pod,
                                                              const ForwarderOptions& options) {
  auto impl = std::make_unique<Impl>(std::move(connector), pod, options);
  KUBE_RETURN_IF_ERROR(impl->Current(ctx), "forward ports of ", TextOf(pod));
  return std::make_unique<Forwarder>(Key(), std::move(impl));
}

Forwarder::Forwarder(Key, std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Forwarder::~Forwarder() { impl_->Close(); }

absl::StatusOr<std::unique_ptr<PortStream>> Forwarder::Dial(const Context& ctx, uint16_t port) {
  if (port == 0) return absl::InvalidArgumentError("remote port must be > 0");
  for (bool again = true;; again = false) {
    KUBE_ASSIGN_OR_RETURN(const std::shared_ptr<spdy::Session> session, impl_->Current(ctx),
                          "forward ports of ", TextOf(impl_->pod_));
    absl::StatusOr<std::unique_ptr<PortStream>> stream = impl_->Open(ctx, *session, port);
    // A session that was lost meanwhile has carried no byte of this connection.
    if (stream.ok() || !again || !Ends(ctx, *session, stream.status()) || ctx.done()) return stream;
  }
}

const meta::ObjectName& Forwarder::pod() const { return impl_->pod_; }

void Forwarder::Close() { impl_->Close(); }

}  // namespace kube::portforward
