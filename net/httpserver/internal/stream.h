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
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "net/http/headers.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/internal/request_memory.h"
#include "net/io/duplex_stream.h"

namespace kube::httpserver::internal {

class FaultControl;

// What precedes the body of a response.
struct ResponseHead {
  int status = 200;
  http::Headers headers = {};
  // Set if the whole body was given at once.
  std::optional<size_t> content_length = {};
  // Whether the connection switches protocols; `status` is then 101, and there is no body.
  bool switches = false;
};

// What a stream needs of the server. Its functions are called without locks, on any thread.
struct StreamEnvironment {
  // Called when there is something to take.
  absl::AnyInvocable<void()> wake = {};
  size_t max_buffered_bytes = 0;
  // Counts exchanges that were aborted because of max_buffered_bytes.
  std::atomic<int64_t>* slow_readers = nullptr;
  // Makes the handler's end of a connection that has switched protocols, or null if the client has
  // gone. Null if the connection cannot switch. Called at most once, with the stream's lock held.
  absl::AnyInvocable<std::unique_ptr<io::DuplexStream>()> connect = {};
  // May be null.
  std::shared_ptr<FaultControl> faults = {};
  // The memory that the request holds until the exchange is released.
  HeldMemory held = {};
};

// The Exchange of a connection: keeps what the handler writes until the session takes it.
//
// The methods of Exchange are thread-safe. The session's side belongs to the I/O thread.
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
  absl::StatusOr<std::unique_ptr<io::DuplexStream>> SwitchProtocols(http::Headers headers) override;
  void Abort() override;
  size_t buffered_bytes() const override;
  bool PauseUntilDrained(size_t limit, std::function<void()> drained) override;

  // Called when no handler holds the exchange any longer; answers it if it was not answered.
  void Abandon();

  // Null if the server supports no faults.
  const std::shared_ptr<FaultControl>& faults() const { return environment_.faults; }

  // ---- The session's side

  // Returns the next head to send: interim ones (1xx) first, then the final one.
  std::optional<ResponseHead> TakeHead();
  // Moves at most `size` bytes of the body to `buffer` and returns their number. May call the
  // function of PauseUntilDrained.
  size_t Read(char* buffer, size_t size);

  enum class Phase {
    kWaiting,   // nothing to take until `wake` is called
    kReady,     // a head or bytes of the body
    kFinished,  // complete; there may be trailers
    kSwitched,  // the connection has switched protocols; only an abort may follow
    kAborted,   // to be reset
  };
  // After kWaiting and kSwitched, `wake` is called once as soon as the phase changes.
  Phase phase();
  http::Headers TakeTrailers();
  // Returns whether the handler has completed or aborted the answer. A connection that has switched
  // protocols is never complete.
  bool is_answered() const;

  // The client has closed its sending side, and may have gone: cancels the context, but not the
  // answer. Does nothing if the connection has switched protocols.
  void EndInput();
  // Nobody reads any longer, or everything has been read. Cancels the context with `why`, and drops
  // what is buffered.
  void Close(const absl::Status& why);

 private:
  // Adds the final head. Returns false if there is one already, or if nobody wants it.
  bool Begin(ResponseHead head) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool Append(std::string piece) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool HasSomething() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Returns whether to call `wake`, which happens once for each kWaiting and kSwitched.
  bool TakeWaiting() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Request request_;
  CancelScope scope_;
  StreamEnvironment environment_;

  mutable base::Mutex mutex_;
  std::deque<ResponseHead> heads_ ABSL_GUARDED_BY(mutex_);
  bool begun_ ABSL_GUARDED_BY(mutex_) = false;
  std::deque<std::string> pieces_ ABSL_GUARDED_BY(mutex_);
  size_t first_offset_ ABSL_GUARDED_BY(mutex_) = 0;  // bytes taken of the first piece
  size_t buffered_ ABSL_GUARDED_BY(mutex_) = 0;
  // Set by PauseUntilDrained: `drained_` is called when at most `drained_at_` bytes are buffered.
  size_t drained_at_ ABSL_GUARDED_BY(mutex_) = 0;
  std::function<void()> drained_ ABSL_GUARDED_BY(mutex_);
  http::Headers trailers_ ABSL_GUARDED_BY(mutex_);
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
  bool switched_ ABSL_GUARDED_BY(mutex_) = false;
  bool aborted_ ABSL_GUARDED_BY(mutex_) = false;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  bool waiting_ ABSL_GUARDED_BY(mutex_) = false;
};

// Returns the exchange for a handler. When the last reference is dropped, it calls Abandon.
std::shared_ptr<Exchange> ForHandler(std::shared_ptr<Stream> stream);

}  // namespace kube::httpserver::internal

#endif  // NET_HTTPSERVER_INTERNAL_STREAM_H_
