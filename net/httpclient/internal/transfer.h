#ifndef NET_HTTPCLIENT_INTERNAL_TRANSFER_H_
#define NET_HTTPCLIENT_INTERNAL_TRANSFER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/internal/endpoint.h"
#include "net/httpclient/internal/response_head.h"
#include "net/httpclient/transport_error.h"

namespace kube::httpclient::internal {

class ActiveTransfer;

// Numbers that transfers change on both sides.
struct TransferCounters {
  std::atomic<int64_t> requests{0};
  std::atomic<int64_t> buffered_bytes{0};
};

// How a transfer ended, on its way from one thread to another. Not an absl::Status: copies of one
// share what is in it, and count each other where ThreadSanitizer does not see it (in a prebuilt
// library).
struct TransferEnd {
  explicit TransferEnd(const absl::Status& status);
  absl::Status ToStatus() const;

  absl::StatusCode code;
  std::string message;
  std::optional<TransportError> error;
};

// One request and its response, between the caller who waits and the I/O thread. Thread-safe.
class Transfer {
 public:
  // Pieces of a body are joined up to kPieceBytes: fewer, and none so large that copying it takes
  // long. What is longer than kLongBytes has memory for so many at once, which is used again.
  static constexpr size_t kPieceBytes = size_t{80} << 10;
  static constexpr size_t kLongBytes = size_t{16} << 10;

  // `endpoint`: of the request's URL.
  Transfer(HttpRequest request, Endpoint endpoint, size_t max_buffered_bytes,
           std::shared_ptr<TransferCounters> counters);
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  const HttpRequest& request() const { return request_; }
  const Endpoint& endpoint() const { return endpoint_; }

  // ---- The caller's side

  absl::StatusOr<ResponseHead> AwaitHead(const Context& ctx);
  // As ByteStream::Read. `resume`: the I/O thread waits for room, and is to be told.
  absl::StatusOr<std::string> Read(const Context& ctx, bool& resume);
  // What Read returned: the I/O thread may write into its memory again.
  void Recycle(std::string chunk);
  // Nobody wants it any more: what is there is dropped, and who waits gets an error. True: the I/O
  // thread is still at it, and is to be told.
  bool Abandon();

  // ---- The I/O thread's side

  // What works on it there. Null: not begun, or ended.
  ActiveTransfer* io() const { return io_; }
  void set_io(ActiveTransfer* io) { io_ = io; }

  // What came since the last time. Wakes the caller once for all of it.
  struct News {
    std::optional<ResponseHead> head = {};
    std::string data = {};
    // Of the end: OK, or why it came early.
    std::optional<absl::Status> end = {};
  };
  // Leaves `news` empty, with room for more data.
  void Deliver(News& news);
  // Counts bytes that will be delivered. False: there is no room for more, and Read will ask to
  // resume; until it does, what still comes is for Count.
  bool Reserve(size_t bytes);
  // Memory that a reader has given back, or none.
  std::string TakeSpare();
  void Count(size_t bytes);

 private:
  void Finish() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Release(size_t bytes);

  const HttpRequest request_;
  const Endpoint endpoint_;
  const size_t max_buffered_bytes_;
  const std::shared_ptr<TransferCounters> counters_;

  ActiveTransfer* io_ = nullptr;

  // Reserved and not read yet; whether the I/O thread waits for it to fall.
  std::atomic<size_t> buffered_bytes_{0};
  std::atomic<bool> paused_{false};

  base::Mutex mutex_;
  base::CondVar changed_;
  std::optional<ResponseHead> head_ ABSL_GUARDED_BY(mutex_);
  // A few at most, and of most responses one.
  absl::InlinedVector<std::string, 1> chunks_ ABSL_GUARDED_BY(mutex_);
  // Read and given back, while much comes.
  std::vector<std::string> spares_ ABSL_GUARDED_BY(mutex_);
  std::optional<TransferEnd> end_ ABSL_GUARDED_BY(mutex_);
  bool abandoned_ ABSL_GUARDED_BY(mutex_) = false;
  bool counted_ ABSL_GUARDED_BY(mutex_) = true;  // among the requests
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_TRANSFER_H_
