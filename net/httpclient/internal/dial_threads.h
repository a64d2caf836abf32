#ifndef NET_HTTPCLIENT_INTERNAL_DIAL_THREADS_H_
#define NET_HTTPCLIENT_INTERNAL_DIAL_THREADS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/thread.h"
#include "net/httpclient/connection_dialer.h"
#include "net/httpclient/internal/transfer_end.h"
#include "net/io/event_loop.h"
#include "net/io/file_descriptor.h"

namespace kube::httpclient::internal {

// Calls ConnectionDialers, which may block, on a thread for each dial, so that the I/O thread goes
// on. All methods belong to the loop's thread; the destructor may run on another one after the loop
// has ended.
class DialThreads {
 public:
  // Identifies a dial. Numbers are not used again.
  using Id = uint64_t;
  using Done = std::function<void(absl::StatusOr<io::FileDescriptor>)>;

  // `loop` must outlive this object.
  explicit DialThreads(io::EventLoop& loop);
  // Cancels all dials and waits until they have returned.
  ~DialThreads();
  DialThreads(const DialThreads&) = delete;
  DialThreads& operator=(const DialThreads&) = delete;

  // Starts to dial, for at most `timeout`. Calls `done` later, on the loop's thread, with an open
  // socket or an error, unless Cancel comes first. Returns nullopt if the system has no more
  // threads.
  std::optional<Id> Start(std::shared_ptr<ConnectionDialer> dialer, DialAddress address,
                          absl::Duration timeout, Done done);
  // Ends the context of a dial whose `done` was not called yet, and forgets `done`. Does not wait.
  void Cancel(Id id);

 private:
  struct Dial {
    Done done;  // empty after Cancel
    base::Thread thread;
  };
  struct Outcome {
    io::FileDescriptor socket = {};
    std::optional<TransferEnd> error = {};
  };

  static Outcome Call(ConnectionDialer& dialer, const Context& ctx, const DialAddress& address);
  void OnReturn(Id id, Outcome outcome);

  io::EventLoop& loop_;
  Id last_ = 0;
  std::map<Id, std::unique_ptr<Dial>> dials_;
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_DIAL_THREADS_H_
