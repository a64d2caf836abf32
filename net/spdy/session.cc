#include "net/spdy/session.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/btree_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread.h"
#include "net/http/headers.h"
#include "net/io/duplex_stream.h"
#include "net/io/shared_writer.h"
#include "net/io/unshared_status.h"
#include "net/spdy/connection.h"
#include "net/spdy/frame.h"

namespace kube::spdy {

// One mutex guards the Connection and all streams; nothing waits for the connection below under it.
//
// The reader thread passes bytes to the Connection, whose events put data into the buffers of the
// streams. It never writes if that blocks: the peer may be waiting for it to read. While a buffer
// is full it waits for room, which is the only back-pressure that SPDY in Kubernetes has.
//
// Data is written, and so vanishes if its call is given up. All other frames are queued (see
// SharedWriter), because the Connection believes that they are sent; what of them finds no room is
// sent by the sender thread. Nor do the calls that open and accept streams wait for their turn to
// write: another thread may have sent their frames meanwhile, and the peer may fill the new stream,
// which nobody reads before the call has returned. If that happened on both sides, neither would
// read any more, and both would wait for ever.
//
// A stream is in `streams` as long as the Connection knows it. Its handle keeps its state, and the
// Impl, alive.

namespace {

// The most frames that the peer, which does not read, may make this side queue: replies to streams
// that it opens, or their resets, and answers to pings.
constexpr size_t kMaxQueuedBytes = size_t{1} << 20;

// How long the session waits until a peer that breaks the protocol has been told.
constexpr absl::Duration kFarewellTimeout = absl::Seconds(1);
// How long Close waits until the peer has been told that the session ends.
constexpr absl::Duration kGoodbyeTimeout = absl::Milliseconds(20);

absl::Status StreamClosed(StreamId id) {
  return absl::FailedPreconditionError(absl::StrCat("spdy: stream ", id, " is closed"));
}

// What a session knows about a stream. Guarded by its mutex, but for what is const and `life`.
struct StreamState {
  StreamState(StreamId stream_id, bool own, const http::Headers& stream_headers,
              const Context& session)
      : id(stream_id), is_own(own), headers(stream_headers), life(WithCancel(session)) {}

  const StreamId id;
  const bool is_own;  // this side has opened it
  const http::Headers headers;
  CancelScope life;  // ends calls that write; cancelled without the mutex

  base::CondVar changed;
  std::string buffered;  // data that waits for Read
  bool is_full = false;
  bool replied = false;
  bool finished = false;       // this side sends no more
  bool peer_finished = false;  // the peer sends no more
  // Why nothing can be read, after `buffered`, or written: the stream is reset or closed, or the
  // session has ended.
  absl::Status over;
};

}  // namespace

struct Session::Impl final : public Connection::Events {
  Impl(const Context& ctx, std::unique_ptr<io::DuplexStream> connection_below,
       const SessionOptions& session_options)
      : options(session_options),
        carrier(std::move(connection_below)),
        writer(*carrier),
        scope(WithCancel(ctx)),
        connection(session_options.connection, *this) {}

  // ---- What the calls of Session and its streams do
  absl::StatusOr<std::shared_ptr<StreamState>> Open(const Context& ctx,
                                                    const http::Headers& headers)
      ABSL_LOCKS_EXCLUDED(mutex);
  absl::StatusOr<std::shared_ptr<StreamState>> Accept(const Context& ctx)
      ABSL_LOCKS_EXCLUDED(mutex);
  absl::Status Reply(StreamState& stream) ABSL_LOCKS_EXCLUDED(mutex);
  absl::StatusOr<std::string> Read(const Context& ctx, StreamState& stream)
      ABSL_LOCKS_EXCLUDED(mutex);
  absl::Status Write(const Context& ctx, StreamState& stream, absl::string_view bytes)
      ABSL_LOCKS_EXCLUDED(mutex);
  absl::Status Flush(const Context& ctx, StreamState& stream) ABSL_LOCKS_EXCLUDED(mutex);
  absl::Status CloseWrite(StreamState& stream) ABSL_LOCKS_EXCLUDED(mutex);
  void Reset(StreamState& stream) ABSL_LOCKS_EXCLUDED(mutex);
  // Ends the session, unless it has ended.
  void End(const absl::Status& why) ABSL_LOCKS_EXCLUDED(mutex);

  // ---- The reader thread
  void ReadUntilTheEnd(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex);
  absl::Status ReceiveMore(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex);
  absl::Status AwaitRoom(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex);
  absl::Status Receive(const Context& ctx, std::string bytes) ABSL_LOCKS_EXCLUDED(mutex);
  absl::Status EndOfInput() ABSL_LOCKS_EXCLUDED(mutex);
  void SendPingIfDue() ABSL_LOCKS_EXCLUDED(mutex);

  // ---- What the peer does: called by the Connection
  void OnStream(StreamId id, const http::Headers& headers) override
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void OnReply(StreamId id, const http::Headers& headers) override
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void OnData(StreamId id, absl::string_view data) override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void OnEnd(StreamId id) override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void OnReset(StreamId id, ResetStatus status) override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void OnGoAway(StreamId, GoAwayStatus) override {}  // OpenStream then fails

  // ---- Helpers
  std::shared_ptr<StreamState> Add(StreamId id, bool is_own, const http::Headers& headers)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  // Returns null if there is no such stream.
  StreamState* Find(StreamId id) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void SetFull(StreamState& stream, bool is_full) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::Status AwaitReply(const Context& ctx, StreamState& stream) ABSL_LOCKS_EXCLUDED(mutex);
  // Calls `write` with a context that is also done when the stream is over.
  absl::Status WhileOpen(const Context& ctx, StreamState& stream,
                         absl::FunctionRef<absl::Status(const Context&)> write)
      ABSL_LOCKS_EXCLUDED(mutex);

  const SessionOptions options;
  const std::unique_ptr<io::DuplexStream> carrier;
  io::SharedWriter writer;
  CancelScope scope;

  base::Mutex mutex;
  Connection connection ABSL_GUARDED_BY(mutex);
  absl::btree_map<StreamId, std::shared_ptr<StreamState>> streams ABSL_GUARDED_BY(mutex);
  std::deque<std::shared_ptr<StreamState>> waiting ABSL_GUARDED_BY(mutex);  // for Accept
  base::CondVar arrived;
  size_t full_streams ABSL_GUARDED_BY(mutex) = 0;
  base::CondVar drained;
  // Those that the peer has reset, and whose `life` has not been cancelled yet.
  std::vector<std::shared_ptr<StreamState>> reset_by_peer ABSL_GUARDED_BY(mutex);
  absl::Status end ABSL_GUARDED_BY(mutex);  // why the session has ended

  base::MonotonicTime next_ping = base::MonotonicTime::Infinite();  // of the reader thread

  base::Thread sender;
  base::Thread reader;
};

// ---- Streams

std::shared_ptr<StreamState> Session::Impl::Add(StreamId id, bool is_own,
                                                const http::Headers& headers) {
  auto stream = std::make_shared<StreamState>(id, is_own, headers, scope.context());
  streams[id] = stream;
  return stream;
}

StreamState* Session::Impl::Find(StreamId id) {
  const auto found = streams.find(id);
  return found == streams.end() ? nullptr : found->second.get();
}

void Session::Impl::SetFull(StreamState& stream, bool is_full) {
  if (stream.is_full == is_full) return;
  stream.is_full = is_full;
  if (is_full) {
    ++full_streams;
  } else if (--full_streams == 0) {
    drained.NotifyAll();
  }
}

absl::StatusOr<std::shared_ptr<StreamState>> Session::Impl::Open(const Context& ctx,
                                                                 const http::Headers& headers) {
  std::shared_ptr<StreamState> stream;
  {
    base::MutexLock lock(mutex);
    KUBE_RETURN_IF_ERROR(io::UnsharedCopy(end));
    std::string frames;
    KUBE_ASSIGN_OR_RETURN(const StreamId id, connection.OpenStream(headers, frames));
    writer.Queue(frames);
    stream = Add(id, /*is_own=*/true, headers);
  }
  writer.TrySend();
  const Context until = WithTimeout(ctx, options.reply_timeout);
  const absl::Status status = AwaitReply(until, *stream);
  if (status.ok()) return stream;
  Reset(*stream);
  if (ctx.done() || !until.done() || !absl::IsDeadlineExceeded(status)) return status;
  return absl::DeadlineExceededError(absl::StrCat("spdy: open stream ", stream->id,
                                                  ": no reply within ",
                                                  absl::FormatDuration(options.reply_timeout)));
}

absl::Status Session::Impl::AwaitReply(const Context& ctx, StreamState& stream) {
  base::MutexLock lock(mutex);
  const absl::Status status =
      stream.changed.Wait(ctx, mutex, [&stream] { return stream.replied || !stream.over.ok(); });
  if (stream.replied) return absl::OkStatus();
  return stream.over.ok() ? status : io::UnsharedCopy(stream.over);
}

absl::StatusOr<std::shared_ptr<StreamState>> Session::Impl::Accept(const Context& ctx) {
  base::MutexLock lock(mutex);
  KUBE_RETURN_IF_ERROR(arrived.Wait(ctx, mutex, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    return !waiting.empty() || !end.ok();
  }));
  KUBE_RETURN_IF_ERROR(io::UnsharedCopy(end));
  std::shared_ptr<StreamState> stream = std::move(waiting.front());
  waiting.pop_front();
  return stream;
}

absl::Status Session::Impl::Reply(StreamState& stream) {
  {
    base::MutexLock lock(mutex);
    KUBE_RETURN_IF_ERROR(io::UnsharedCopy(stream.over));
    if (stream.replied) return absl::OkStatus();
    std::string frames;
    KUBE_RETURN_IF_ERROR(connection.Reply(stream.id, frames));
    writer.Queue(frames);
    stream.replied = true;
  }
  writer.TrySend();
  return absl::OkStatus();
}

absl::StatusOr<std::string> Session::Impl::Read(const Context& ctx, StreamState& stream) {
  base::MutexLock lock(mutex);
  if (!stream.replied && stream.over.ok()) {
    return absl::FailedPreconditionError(
        absl::StrCat("spdy: read on stream ", stream.id, ": it has no reply"));
  }
  KUBE_RETURN_IF_ERROR(stream.changed.Wait(ctx, mutex, [&stream] {
    return !stream.buffered.empty() || stream.peer_finished || !stream.over.ok();
  }));
  if (!stream.buffered.empty()) {
    SetFull(stream, false);
    return std::exchange(stream.buffered, std::string());
  }
  if (stream.peer_finished) return std::string();
  return io::UnsharedCopy(stream.over);
}

absl::Status Session::Impl::Write(const Context& ctx, StreamState& stream,
                                  absl::string_view bytes) {
  return WhileOpen(ctx, stream, [this, &stream, bytes](const Context& until) {
    return writer.Write(until, mutex,
                        [this, &stream, bytes](std::string& out) -> absl::StatusOr<size_t> {
                          mutex.AssertHeld();
                          KUBE_RETURN_IF_ERROR(io::UnsharedCopy(stream.over));
                          // The Connection does not know a stream any more that both sides have
                          // finished.
                          if (stream.finished) return StreamClosed(stream.id);
                          const size_t kept = out.size();
                          KUBE_RETURN_IF_ERROR(connection.SendData(stream.id, bytes, out));
                          return kept;
                        });
  });
}

absl::Status Session::Impl::Flush(const Context& ctx, StreamState& stream) {
  {
    base::MutexLock lock(mutex);
    KUBE_RETURN_IF_ERROR(io::UnsharedCopy(stream.over));
  }
  return WhileOpen(ctx, stream, [this](const Context& until) { return writer.Flush(until); });
}

absl::Status Session::Impl::WhileOpen(const Context& ctx, StreamState& stream,
                                      absl::FunctionRef<absl::Status(const Context&)> write) {
  CancelScope either = WithCancel(ctx);
  const Context& life = stream.life.context();
  const DoneCallback over = life.OnDone([&either] { either.Cancel(); });
  absl::Status status = write(either.context());
  if (status.ok()) return status;
  base::MutexLock lock(mutex);
  if (!stream.over.ok()) return io::UnsharedCopy(stream.over);
  // The reader thread has not noticed yet that the context of the session is done.
  if (life.done() && !ctx.done()) return life.cause();
  return status;
}

absl::Status Session::Impl::CloseWrite(StreamState& stream) {
  {
    base::MutexLock lock(mutex);
    KUBE_RETURN_IF_ERROR(io::UnsharedCopy(stream.over));
    if (stream.finished) return absl::OkStatus();
    std::string frames;
    KUBE_RETURN_IF_ERROR(connection.Finish(stream.id, frames));
    writer.Queue(frames);
    stream.finished = true;
    if (stream.peer_finished) streams.erase(stream.id);
  }
  writer.TrySend();
  return absl::OkStatus();
}

void Session::Impl::Reset(StreamState& stream) {
  {
    base::MutexLock lock(mutex);
    const bool was_accepted = stream.is_own || stream.replied;
    std::string frames;
    connection.Reset(stream.id, frames,
                     was_accepted ? ResetStatus::kCancel : ResetStatus::kRefusedStream);
    writer.Queue(frames);
    streams.erase(stream.id);
    stream.buffered = std::string();
    SetFull(stream, false);
    stream.peer_finished = false;  // Read returns an error from now on
    if (stream.over.ok()) stream.over = StreamClosed(stream.id);
    stream.changed.NotifyAll();
  }
  stream.life.Cancel();
  writer.TrySend();
}

// ---- Events

void Session::Impl::OnStream(StreamId id, const http::Headers& headers) {
  if (waiting.size() >= options.max_waiting_streams) {
    std::string frames;
    connection.Reset(id, frames, ResetStatus::kRefusedStream);
    return writer.Queue(frames);
  }
  waiting.push_back(Add(id, /*is_own=*/false, headers));
  arrived.NotifyAll();
}

void Session::Impl::OnReply(StreamId id, const http::Headers&) {
  StreamState* const stream = Find(id);
  if (stream == nullptr) return;
  stream->replied = true;
  stream->changed.NotifyAll();
}

void Session::Impl::OnData(StreamId id, absl::string_view data) {
  StreamState* const stream = Find(id);
  if (stream == nullptr) return;
  absl::StrAppend(&stream->buffered, data);
  if (stream->buffered.size() > options.max_buffered_bytes) SetFull(*stream, true);
  stream->changed.NotifyAll();
}

void Session::Impl::OnEnd(StreamId id) {
  StreamState* const stream = Find(id);
  if (stream == nullptr) return;
  stream->peer_finished = true;
  stream->changed.NotifyAll();
  if (stream->finished) streams.erase(id);
}

void Session::Impl::OnReset(StreamId id, ResetStatus status) {
  const auto found = streams.find(id);
  if (found == streams.end()) return;
  const std::shared_ptr<StreamState> stream = std::move(found->second);
  streams.erase(found);
  const bool refused = stream->is_own && !stream->replied;
  stream->over = absl::AbortedError(absl::StrCat("spdy: stream ", id, ": the peer has ",
                                                 refused ? "refused" : "reset", " it (status ",
                                                 static_cast<uint32_t>(status), ")"));
  stream->changed.NotifyAll();
  if (std::erase(waiting, stream) > 0) SetFull(*stream, false);  // nobody will read it
  reset_by_peer.push_back(stream);
}

// ---- The reader thread

void Session::Impl::ReadUntilTheEnd(const Context& ctx) {
  if (options.ping_interval > absl::ZeroDuration()) next_ping = base::Now() + options.ping_interval;
  absl::Status status;
  while (status.ok()) status = ReceiveMore(ctx);
  End(status);
}

absl::Status Session::Impl::ReceiveMore(const Context& ctx) {
  KUBE_RETURN_IF_ERROR(AwaitRoom(ctx));
  if (ctx.done()) return ctx.cause();
  const Context until = WithDeadline(ctx, next_ping);
  absl::StatusOr<std::string> bytes = carrier->Read(until);
  if (bytes.ok()) {
    return bytes->empty() ? EndOfInput() : Receive(ctx, *std::move(bytes));
  }
  if (ctx.done()) return ctx.cause();
  return until.done() ? absl::OkStatus() : bytes.status();
}

// Sends pings meanwhile.
absl::Status Session::Impl::AwaitRoom(const Context& ctx) {
  while (true) {
    SendPingIfDue();
    base::MutexLock lock(mutex);
    const bool has_room = drained.WaitUntil(
        ctx, mutex, next_ping,
        [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) { return full_streams == 0 || !end.ok(); });
    if (has_room) return absl::OkStatus();
    if (ctx.done()) return ctx.cause();
  }
}

void Session::Impl::SendPingIfDue() {
  if (base::Now() < next_ping) return;
  next_ping = base::Now() + options.ping_interval;
  if (writer.queued_bytes() > 0) return;  // the peer does not read at the moment
  {
    base::MutexLock lock(mutex);
    std::string frames;
    connection.SendPing(frames);
    writer.Queue(frames);
  }
  writer.TrySend();
}

absl::Status Session::Impl::Receive(const Context& ctx, std::string bytes) {
  absl::Status status;
  std::vector<std::shared_ptr<StreamState>> over;
  {
    base::MutexLock lock(mutex);
    status = connection.Receive(bytes);
    std::string frames;
    connection.Produce(frames);
    writer.Queue(frames);
    over.swap(reset_by_peer);
  }
  carrier->Recycle(std::move(bytes));
  for (const std::shared_ptr<StreamState>& stream : over) stream->life.Cancel();
  writer.TrySend();
  if (!status.ok()) {
    writer.Flush(WithTimeout(ctx, kFarewellTimeout)).IgnoreError();  // GOAWAY says why
  } else if (writer.queued_bytes() > kMaxQueuedBytes) {
    status = absl::ResourceExhaustedError("spdy: the peer does not read the answers it asks for");
  }
  return status;
}

absl::Status Session::Impl::EndOfInput() {
  base::MutexLock lock(mutex);
  KUBE_RETURN_IF_ERROR(connection.EndOfInput());
  return absl::UnavailableError("spdy: the peer has closed the connection");
}

// ---- The end

void Session::Impl::End(const absl::Status& why) {
  std::vector<std::shared_ptr<StreamState>> dropped;  // destroyed without the lock
  {
    base::MutexLock lock(mutex);
    if (!end.ok()) return;
    end = io::UnsharedCopy(why);
    for (const auto& [id, stream] : streams) {
      stream->over = io::UnsharedCopy(why);
      stream->changed.NotifyAll();
      dropped.push_back(stream);
    }
    streams.clear();
    waiting.clear();
    arrived.NotifyAll();
    drained.NotifyAll();
    std::string frames;
    connection.Close(frames);
    writer.Queue(frames);
  }
  writer.TrySend();
  // The carrier drops what it has not passed on when it is closed.
  if (writer.queued_bytes() == 0) {
    writer.Flush(WithTimeout(Context(), kGoodbyeTimeout)).IgnoreError();
  }
  carrier->Close();
  scope.Cancel(why);
}

// ---- Handles

namespace {

class StreamHandle final : public SessionStream {
 public:
  StreamHandle(std::shared_ptr<Session::Impl> impl, std::shared_ptr<StreamState> stream)
      : impl_(std::move(impl)), stream_(std::move(stream)) {}
  ~StreamHandle() override { impl_->Reset(*stream_); }
  StreamHandle(const StreamHandle&) = delete;
  StreamHandle& operator=(const StreamHandle&) = delete;

  const http::Headers& headers() const override { return stream_->headers; }
  absl::Status Reply() override { return impl_->Reply(*stream_); }
  absl::StatusOr<std::string> Read(const Context& ctx) override {
    return impl_->Read(ctx, *stream_);
  }
  absl::Status Write(const Context& ctx, absl::string_view bytes) override {
    return impl_->Write(ctx, *stream_, bytes);
  }
  absl::Status Flush(const Context& ctx) override { return impl_->Flush(ctx, *stream_); }
  absl::Status CloseWrite() override { return impl_->CloseWrite(*stream_); }
  void Reset() override { impl_->Reset(*stream_); }
  void Close() override { impl_->Reset(*stream_); }

 private:
  const std::shared_ptr<Session::Impl> impl_;
  const std::shared_ptr<StreamState> stream_;
};

}  // namespace

Session::Session(Key, std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

absl::StatusOr<std::unique_ptr<Session>> Session::Start(
    const Context& ctx, std::unique_ptr<io::DuplexStream> connection,
    const SessionOptions& options) {
  auto session =
      std::make_unique<Session>(Key(), std::make_shared<Impl>(ctx, std::move(connection), options));
  Impl* const impl = session->impl_.get();
  const Context& life = impl->scope.context();
  KUBE_RETURN_IF_ERROR(impl->sender.Start(life, "spdy-sender", [impl](const Context& running) {
    impl->writer.SendLeftovers(running).IgnoreError();  // the reader meets the same error
  }));
  KUBE_RETURN_IF_ERROR(impl->reader.Start(
      life, "spdy-reader", [impl](const Context& running) { impl->ReadUntilTheEnd(running); }));
  return session;
}

Session::~Session() {
  Close();
  impl_->reader.Join();
  impl_->sender.Join();
}

absl::StatusOr<std::unique_ptr<SessionStream>> Session::OpenStream(const Context& ctx,
                                                                   const http::Headers& headers) {
  KUBE_ASSIGN_OR_RETURN(std::shared_ptr<StreamState> stream, impl_->Open(ctx, headers));
  return std::make_unique<StreamHandle>(impl_, std::move(stream));
}

absl::StatusOr<std::unique_ptr<SessionStream>> Session::Accept(const Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(std::shared_ptr<StreamState> stream, impl_->Accept(ctx));
  return std::make_unique<StreamHandle>(impl_, std::move(stream));
}

const Context& Session::context() const { return impl_->scope.context(); }

void Session::Close() { impl_->End(absl::FailedPreconditionError("spdy: the session is closed")); }

}  // namespace kube::spdy
