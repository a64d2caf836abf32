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
#include "net/httpclient/internal/outgoing_bytes.h"
#include "net/httpclient/internal/response_head.h"
#include "net/httpclient/internal/transfer_end.h"

namespace kube::httpclient::internal {

class ActiveTransfer;

// Numbers that both sides of the transfers change.
struct TransferCounters {
  std::atomic<int64_t> requests{0};
  std::atomic<int64_t> buffered_bytes{0};
};

// One request and its response, shared by the caller that waits and the I/O thread. Thread-safe.
class Transfer {
 public:
  // Pieces of a body are joined up to kPieceBytes, so that there are few, but none so large that
  // copying it takes long. A piece longer than kLongBytes gets memory of kPieceBytes at once, which
  // is reused.
  static constexpr size_t kPieceBytes = size_t{80} << 10;
  static constexpr size_t kLongBytes = size_t{16} << 10;

  // `endpoint` is the destination of the request's URL.
  Transfer(HttpRequest request, Endpoint endpoint, size_t max_buffered_bytes,
           std::shared_ptr<TransferCounters> counters);
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  const HttpRequest& request() const { return request_; }
  const Endpoint& endpoint() const { return endpoint_; }

  // ---- The caller's side

  // Blocks until the header has arrived, the transfer has ended or `ctx` is done. Returns the
  // header, the error of the transfer, or ctx.status().
  absl::StatusOr<ResponseHead> AwaitHead(const Context& ctx);
  // As ByteStream::Read. Sets `resume` if the I/O thread waits for room and must be told to resume.
  absl::StatusOr<std::string> Read(const Context& ctx, bool& resume);
  // Takes back a string that Read returned; the I/O thread reuses its memory.
  void Recycle(std::string chunk);
  // Gives up the transfer: drops what has arrived, and makes a waiting caller return an error.
  // Returns true if the I/O thread still works on it and must be told.
  bool Abandon();
  // The bytes that the caller writes after the protocol was switched. Null unless the request has
  // `upgrade`. Both sides use it.
  OutgoingBytes* outgoing() const { return outgoing_.get(); }

  // ---- The I/O thread's side

  // The object that works on the transfer on the I/O thread; null before it begins and after it
  // ends.
  ActiveTransfer* io() const { return io_; }
  void set_io(ActiveTransfer* io) { io_ = io; }

  // What has arrived since the last Deliver, which wakes the caller once for all of it.
  struct News {
    std::optional<ResponseHead> head = {};
    std::string data = {};
    // Set at the end: OK, or why the transfer ended early.
    std::optional<absl::Status> end = {};
  };
  // Hands `news` to the caller and leaves it empty, with memory for more data.
  void Deliver(News& news);
  // Counts bytes that will be delivered. Returns false if the buffer is full: Read will ask to
  // resume when there is room, and until then further bytes are only passed to Count.
  bool Reserve(size_t bytes);
  // Returns memory that a reader has given back, or an empty string.
  std::string TakeSpare();
  void Count(size_t bytes);

 private:
  void Finish() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Ends `outgoing_`; OK means that the server has closed the connection.
  void EndOutgoing(const absl::Status& status);
  void Release(size_t bytes);

  const HttpRequest request_;
  const Endpoint endpoint_;
  const size_t max_buffered_bytes_;
  const std::shared_ptr<TransferCounters> counters_;
  const std::unique_ptr<OutgoingBytes> outgoing_;

  ActiveTransfer* io_ = nullptr;

  // Bytes that were reserved but not read; and whether the I/O thread waits until they become
  // fewer.
  std::atomic<size_t> buffered_bytes_{0};
  std::atomic<bool> paused_{false};

  base::Mutex mutex_;
  base::CondVar changed_;
  std::optional<ResponseHead> head_ ABSL_GUARDED_BY(mutex_);
  // Few at a time; most responses have one.
  absl::InlinedVector<std::string, 1> chunks_ ABSL_GUARDED_BY(mutex_);
  // Memory given back by the reader while a long body arrives.
  std::vector<std::string> spares_ ABSL_GUARDED_BY(mutex_);
  std::optional<TransferEnd> end_ ABSL_GUARDED_BY(mutex_);
  bool abandoned_ ABSL_GUARDED_BY(mutex_) = false;
  bool counted_ ABSL_GUARDED_BY(mutex_) = true;  // in counters_->requests
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_TRANSFER_H_
