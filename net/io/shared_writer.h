#ifndef NET_IO_SHARED_WRITER_H_
#define NET_IO_SHARED_WRITER_H_

#include <cstddef>
#include <list>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "net/io/duplex_stream.h"

namespace kube::io {

// The writing side of a stream that many threads share, for protocols of frames. The frames arrive
// whole and in the order in which they were made, although each write may block and may be given
// up.
//
// A frame is either queued, and then it will be sent whatever happens to the call that queued it,
// or it is written by a thread that waits, and then it is not sent if the wait ends early. Frames
// that belong to the state of the protocol, such as a close frame or compressed headers, are
// queued; data is written.
//
//   {
//     base::MutexLock lock(mutex_);  // of the state that makes the frames
//     state_.Finish(frames);
//     writer_.Queue(frames);
//   }
//   writer_.TrySend();
//
// Threads that wait write in the order in which they came: one that writes again and again does not
// keep others out.
//
// Thread-safe. The lock of SharedWriter is a leaf: Queue may be called with other locks held.
class SharedWriter {
 public:
  // `stream` must outlive this object, and nothing else may write to it.
  explicit SharedWriter(DuplexStream& stream);
  SharedWriter(const SharedWriter&) = delete;
  SharedWriter& operator=(const SharedWriter&) = delete;

  // Adds bytes to those that will be sent. Never blocks. The queue has no bound of its own: its
  // users know how much one of their peers may make them queue.
  void Queue(absl::string_view bytes) ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns the number of bytes in the queue that no thread is sending.
  size_t queued_bytes() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Sends what is queued, if the stream takes it without blocking. If another thread writes at the
  // moment, that thread sends the queue afterwards. What cannot be sent remains queued.
  void TrySend() ABSL_LOCKS_EXCLUDED(mutex_);
  // Blocks until the stream has taken what was queued before the call. Returns the errors of
  // DuplexStream::Write; the bytes then remain queued.
  absl::Status Send(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);

  // Appends frames to `out`, and returns the size up to which `out` will be sent in any case: what
  // is behind that is dropped if the wait ends early. If it returns an error, all that it has
  // appended will be sent.
  using Make = absl::FunctionRef<absl::StatusOr<size_t>(std::string& out)>;

  // Sends what is queued, and then what `make` appends. Blocks as the stream does and while other
  // threads write. Calls `make` at most once, with `order` held, which is the lock under which
  // other threads queue frames; so frames arrive in the order in which that lock was taken.
  //
  // Returns the errors of DuplexStream::Write, and then nothing of what `make` has appended is
  // sent; and the error of `make`.
  absl::Status Write(const Context& ctx, base::Mutex& order, Make make)
      ABSL_LOCKS_EXCLUDED(mutex_, order);

  // Sends what is queued, and blocks until the stream has passed on everything. Other threads that
  // write wait meanwhile. Returns the errors of DuplexStream::Flush.
  absl::Status Flush(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);

  // Blocks, and sends what TrySend has left in the queue as soon as the stream takes it. For a
  // thread that does nothing else. Returns ctx.status() when `ctx` is done, and the error of the
  // stream when that has ended.
  absl::Status SendLeftovers(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // A thread that waits for the turn.
  struct InLine {
    base::CondVar changed;
    bool has_turn = false;
  };

  // One thread at a time has the turn to write, from BeginTurn to EndTurn.
  absl::Status BeginTurn(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  void EndTurn() ABSL_LOCKS_EXCLUDED(mutex_);
  bool TryEndTurn(bool has_room) ABSL_LOCKS_EXCLUDED(mutex_);

  // Only the thread that has the turn may call these.
  void TakeQueue() ABSL_LOCKS_EXCLUDED(mutex_);
  void MoveQueueToOut() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status SendQueue(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status WriteInTurn(const Context& ctx, base::Mutex& order, Make make)
      ABSL_LOCKS_EXCLUDED(mutex_, order);
  absl::Status WriteOut(const Context& ctx);
  void ClearOut();

  DuplexStream& stream_;
  const Context no_wait_;  // is done

  mutable base::Mutex mutex_;
  bool busy_ ABSL_GUARDED_BY(mutex_) = false;  // a thread has the turn
  // The threads that wait for it, each in BeginTurn.
  std::list<InLine*> line_ ABSL_GUARDED_BY(mutex_);
  std::string queue_ ABSL_GUARDED_BY(mutex_);
  base::CondVar leftover_;
  bool has_leftover_ ABSL_GUARDED_BY(mutex_) = false;

  // The bytes that are being written. They belong to the thread that has the turn, and are empty
  // between the turns.
  std::string out_;
};

}  // namespace kube::io

#endif  // NET_IO_SHARED_WRITER_H_
