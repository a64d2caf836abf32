#ifndef CLIENTSET_PORTFORWARD_INTERNAL_POD_STREAM_H_
#define CLIENTSET_PORTFORWARD_INTERNAL_POD_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "clientset/portforward/port_stream.h"
#include "net/spdy/session.h"

namespace kube::portforward::internal {

// The stream on which the kubelet says why a connection has failed. Any thread may read it, but one
// at a time does. Thread-safe.
class ErrorStream {
 public:
  // `description` is what errors begin with: `forward to port 80 of pod "web-0" in "prod"`.
  ErrorStream(std::string description, std::unique_ptr<spdy::SessionStream> stream)
      : description_(std::move(description)), stream_(std::move(stream)) {}

  // Waits for the end of the stream. Returns the error of the kubelet, OK if it has not reported
  // one, or the error of `ctx`.
  absl::Status Outcome(const Context& ctx);
  // Returns the error of the kubelet if it has reported one, after waiting for it for `patience`.
  // Otherwise returns `status`, which is what the data stream says.
  absl::Status Explain(const Context& ctx, absl::Duration patience, const absl::Status& status);

  // Ends the stream. Thread-safe, never blocks.
  void Close() { stream_->Close(); }

 private:
  // What is known of the stream.
  struct Report {
    // The text of the kubelet; "" if it has not reported an error.
    std::string text = {};
    // Whether there will be no more text.
    bool ended = false;
    // Why the stream broke off; OK if it has not. After a text it says nothing: a kubelet resets
    // the streams of a connection that has failed. It also resets all of them when it goes away.
    absl::Status failure = {};
  };

  // Reads until the end of the stream, or until `ctx` is done. Returns what is known then.
  Report Read(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  // Waits until no other thread reads. Returns whether there is something left to be read.
  bool TakeTurn(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  void EndTurn(const Report& read) ABSL_LOCKS_EXCLUDED(mutex_);
  // Reads until the end, or until `ctx` is done or `room` bytes have come.
  Report ReadMore(const Context& ctx, size_t room);
  absl::Status ErrorOf(const Report& report) const;

  const std::string description_;
  const std::unique_ptr<spdy::SessionStream> stream_;
  base::Mutex mutex_;
  base::CondVar changed_;
  bool reading_ ABSL_GUARDED_BY(mutex_) = false;
  Report report_ ABSL_GUARDED_BY(mutex_);
};

// How long a thread whose data stream has failed waits for the reason.
inline constexpr absl::Duration kPatienceAfterFailure = absl::Seconds(1);

// A PortStream over the two streams that a kubelet expects for a connection.
class PodStream final : public PortStream {
 public:
  PodStream(uint16_t port, std::unique_ptr<ErrorStream> error,
            std::unique_ptr<spdy::SessionStream> data);
  ~PodStream() override { Close(); }

  uint16_t port() const override { return port_; }
  absl::StatusOr<std::string> Read(const Context& ctx) override;
  void Recycle(std::string bytes) override { data_->Recycle(std::move(bytes)); }
  absl::Status Write(const Context& ctx, absl::string_view bytes) override;
  absl::Status Flush(const Context& ctx) override;
  absl::Status CloseWrite() override { return data_->CloseWrite(); }
  void Close() override;
  absl::Status Outcome(const Context& ctx) override { return error_->Outcome(ctx); }

 private:
  const uint16_t port_;
  const std::unique_ptr<ErrorStream> error_;
  const std::unique_ptr<spdy::SessionStream> data_;
};

}  // namespace kube::portforward::internal

#endif  // CLIENTSET_PORTFORWARD_INTERNAL_POD_STREAM_H_
