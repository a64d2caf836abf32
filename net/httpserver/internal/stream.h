#ifndef NET_HTTPSERVER_INTERNAL_STREAM_H_
#define NET_HTTPSERVER_INTERNAL_STREAM_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "net/http/headers.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/internal/request_memory.h"

namespace kube::httpserver::internal {

class FaultControl;

// Of a response: what goes before its body.
struct ResponseHead {
  int status = 200;
  http::Headers headers = {};
  // Known where the whole body was given at once.
  std::optional<size_t> content_length = {};
};

// What a stream wants of the server around it. All of it is called without locks, on any thread.
struct StreamEnvironment {
  // There is something to take.
  absl::AnyInvocable<void()> wake = {};
  size_t max_buffered_bytes = 0;
  // Counts exchanges that were cut off because of it.
  std::atomic<int64_t>* slow_readers = nullptr;
  // May be null.
  std::shared_ptr<FaultControl> faults = {};
  // What the request holds, until the exchange goes.
  HeldMemory held = {};
};

// An exchange over a connection: what handlers write, until the connection's session takes it.
//
// Thread-safe for handlers. The session's side is for the I/O thread.
class Stream final : public Exchange {
 public:
  Stream(Request request, StreamEnvironment environment);

  const Request& request() const override { return request_; }
  const Context& context() const override { return scope_.context(); }
  bool can_answer() const override;
  void Inform(int status, http::Headers headers) override;
  void Respond(Response response) override;
  void Start(int status, http::Headers headers) override;
  bool Write(std::string piece) override;
  void Finish(http::Headers trailers) override;
  void Abort() override;
  size_t buffered_bytes() const override;
  bool PauseUntilDrained(size_t limit, std::function<void()> drained) override;

  // No handler has it any more: if it was not answered, it is now.
  void Abandon();

  // Null where the server has none.
  const std::shared_ptr<FaultControl>& faults() const { return environment_.faults; }

  // ---- the session's side

  // The next head to send: those of 1xx, then the real one.
  std::optional<ResponseHead> TakeHead();
  // Moves at most `size` bytes of the body to `buffer`. May call who waits for that.
  size_t Read(char* buffer, size_t size);

  enum class Phase {
    kWaiting,   // nothing to take until `wake`
    kReady,     // a head, or bytes of the body
    kFinished,  // nothing comes any more; trailers may be there
    kAborted,   // to be broken off
  };
  // After kWaiting, `wake` is called as soon as that changes.
  Phase phase();
  http::Headers TakeTrailers();
  // Whether the handler has said all that it will say.
  bool is_answered() const;

  // The client sends no more, and may have gone: ends the context, but not the answer.
  void EndInput();
  // Nobody reads any more, or all has been read. Ends the context with `why`, and frees what waits.
  void Close(const absl::Status& why);

 private:
  // Puts the head at its place. False: there is one already, or nobody wants it.
  bool Begin(ResponseHead head) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool Append(std::string piece) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool HasSomething() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Whether to call wake: once for each kWaiting.
  bool TakeWaiting() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Request request_;
  CancelScope scope_;
  StreamEnvironment environment_;

  mutable base::Mutex mutex_;
  std::deque<ResponseHead> heads_ ABSL_GUARDED_BY(mutex_);
  bool begun_ ABSL_GUARDED_BY(mutex_) = false;
  std::deque<std::string> pieces_ ABSL_GUARDED_BY(mutex_);
  size_t first_offset_ ABSL_GUARDED_BY(mutex_) = 0;  // of the first piece, what was taken
  size_t buffered_ ABSL_GUARDED_BY(mutex_) = 0;
  // Of PauseUntilDrained: called when at most so much is buffered. Null: nobody waits.
  size_t drained_at_ ABSL_GUARDED_BY(mutex_) = 0;
  std::function<void()> drained_ ABSL_GUARDED_BY(mutex_);
  http::Headers trailers_ ABSL_GUARDED_BY(mutex_);
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
  bool aborted_ ABSL_GUARDED_BY(mutex_) = false;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  bool waiting_ ABSL_GUARDED_BY(mutex_) = false;
};

// What a handler gets: `stream`, which answers by itself when the last one drops it.
std::shared_ptr<Exchange> ForHandler(std::shared_ptr<Stream> stream);

}  // namespace kube::httpserver::internal

#endif  // NET_HTTPSERVER_INTERNAL_STREAM_H_
