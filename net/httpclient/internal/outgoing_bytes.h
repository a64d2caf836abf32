#ifndef NET_HTTPCLIENT_INTERNAL_OUTGOING_BYTES_H_
#define NET_HTTPCLIENT_INTERNAL_OUTGOING_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "net/httpclient/internal/transfer_end.h"

namespace kube::httpclient::internal {

// The bytes that a caller writes to a connection whose protocol was switched, on their way to the
// I/O thread. Thread-safe.
class OutgoingBytes {
 public:
  // The number of bytes that wait before Write blocks, if the transport's max_buffered_bytes is not
  // smaller. As many again may be on their way to the socket.
  static constexpr size_t kMaxWaitingBytes = size_t{256} << 10;

  explicit OutgoingBytes(size_t max_waiting_bytes);
  OutgoingBytes(const OutgoingBytes&) = delete;
  OutgoingBytes& operator=(const OutgoingBytes&) = delete;

  // ---- The caller's side

  // As DuplexStream::Write. Sets `wake` if the I/O thread must be told to call Take; that is once
  // for all writes until it has found nothing to take.
  absl::Status Write(const Context& ctx, absl::string_view bytes, bool& wake);
  // As DuplexStream::Flush.
  absl::Status Flush(const Context& ctx);

  // ---- The I/O thread's side

  // Appends the bytes that wait to `out`. Called when all that it returned before has been passed
  // to the system; after it has returned bytes it must be called again.
  void Take(std::string& out);

  // ---- Either side

  // Makes Write and Flush return `status`, which is not OK. Only the first call has an effect.
  void End(const absl::Status& status);

 private:
  const size_t max_waiting_bytes_;

  base::Mutex mutex_;
  base::CondVar changed_;
  std::string waiting_ ABSL_GUARDED_BY(mutex_);
  // Bytes since the beginning: written by the caller, taken by the I/O thread, passed to the
  // system.
  uint64_t written_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t taken_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t sent_ ABSL_GUARDED_BY(mutex_) = 0;
  // Whether the I/O thread will call Take without being told.
  bool awake_ ABSL_GUARDED_BY(mutex_) = false;
  std::optional<TransferEnd> end_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_OUTGOING_BYTES_H_
