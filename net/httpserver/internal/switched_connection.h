#ifndef NET_HTTPSERVER_INTERNAL_SWITCHED_CONNECTION_H_
#define NET_HTTPSERVER_INTERNAL_SWITCHED_CONNECTION_H_

#include <cstddef>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "net/io/byte_queue.h"
#include "net/io/duplex_stream.h"

namespace kube::httpserver::internal {

// The bytes of a connection on which HTTP has ended, between the handler's DuplexStream, on any
// thread, and the session on the I/O thread.
//
// Thread-safe.
class SwitchedConnection : public std::enable_shared_from_this<SwitchedConnection> {
 public:
  // Beyond this many bytes from the client, the session reads no more; beyond this many bytes for
  // it, Write blocks.
  static constexpr size_t kMaxWaiting = size_t{256} << 10;

  // `wake` makes the I/O thread call NoteAwake and then look at what has changed. It is called
  // without locks, by any thread.
  explicit SwitchedConnection(absl::AnyInvocable<void()> wake);
  SwitchedConnection(const SwitchedConnection&) = delete;
  SwitchedConnection& operator=(const SwitchedConnection&) = delete;

  // ---- The handler's side: the methods of DuplexStream

  // Returns the handler's end of the connection, which shares this object. Call it once.
  std::unique_ptr<io::DuplexStream> ForHandler();

  absl::StatusOr<std::string> Read(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  void Recycle(std::string bytes) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status Write(const Context& ctx, absl::string_view bytes) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status Flush(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  void CloseWrite() ABSL_LOCKS_EXCLUDED(mutex_);
  void Close() ABSL_LOCKS_EXCLUDED(mutex_);

  // ---- The session's side, on the I/O thread

  // From now on a change calls `wake` again.
  void NoteAwake() ABSL_LOCKS_EXCLUDED(mutex_);

  // Adds bytes of the client.
  void Receive(absl::string_view bytes) ABSL_LOCKS_EXCLUDED(mutex_);
  void EndInput() ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns false while enough input waits for the handler. `wake` is called when that changes.
  bool WantsInput() ABSL_LOCKS_EXCLUDED(mutex_);

  // What follows the output that Produce has appended.
  enum class Output {
    kOpen,    // maybe more
    kEnded,   // nothing: the handler has ended its bytes
    kClosed,  // nothing: the handler has closed the connection, and what is not sent is dropped
  };
  // Appends output to `out`, until it has `limit` bytes.
  Output Produce(std::string& out, size_t limit) ABSL_LOCKS_EXCLUDED(mutex_);
  // Everything that Produce has appended was passed to the operating system.
  void NoteSent() ABSL_LOCKS_EXCLUDED(mutex_);
  bool is_closed() const ABSL_LOCKS_EXCLUDED(mutex_);

  // The connection has ended. The handler still reads what was received; then its calls fail with
  // UNAVAILABLE and the message of `why`.
  void Disconnect(const absl::Status& why) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // Returns whether to call `wake_`, once the lock is released.
  bool TakeWake() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  absl::AnyInvocable<void()> wake_;

  mutable base::Mutex mutex_;
  base::CondVar changed_;
  bool awake_ ABSL_GUARDED_BY(mutex_) = false;  // `wake_` was called, and NoteAwake was not

  io::ByteQueue input_ ABSL_GUARDED_BY(mutex_);
  bool input_full_ ABSL_GUARDED_BY(mutex_) = false;
  bool input_ended_ ABSL_GUARDED_BY(mutex_) = false;

  io::ByteQueue output_ ABSL_GUARDED_BY(mutex_);
  bool sending_ ABSL_GUARDED_BY(mutex_) = false;  // the session has bytes that are not sent yet
  bool lost_ ABSL_GUARDED_BY(mutex_) = false;     // bytes were written that were not sent
  bool output_ended_ ABSL_GUARDED_BY(mutex_) = false;

  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status gone_ ABSL_GUARDED_BY(mutex_);  // OK while there is a connection
};

}  // namespace kube::httpserver::internal

#endif  // NET_HTTPSERVER_INTERNAL_SWITCHED_CONNECTION_H_
