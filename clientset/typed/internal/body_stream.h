#ifndef CLIENTSET_TYPED_INTERNAL_BODY_STREAM_H_
#define CLIENTSET_TYPED_INTERNAL_BODY_STREAM_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/watch/byte_stream.h"

namespace kube::typed::internal {

// The body of a list or watch that is decoded while it arrives. It counts the bytes, and fails if
// none arrive for some time. Only time spent in Read counts, because a reader that is busy
// elsewhere says nothing about the server. Thread-safety as for ByteStream.
class BodyStream final : public watch::ByteStream {
 public:
  // An `idle_timeout` of zero means no limit.
  BodyStream(std::unique_ptr<watch::ByteStream> stream, absl::Duration idle_timeout,
             base::Counter bytes = {});

  // Returns a transport error of kind kLost when `idle_timeout` has passed, and again in later
  // calls.
  absl::StatusOr<std::string> Read(const Context& ctx) override;
  void Recycle(std::string bytes) override;
  void Close() override;

 private:
  absl::StatusOr<std::string> ReadInTime(const Context& ctx);

  const std::unique_ptr<watch::ByteStream> stream_;
  const absl::Duration idle_timeout_;
  const base::Counter bytes_;
  absl::Duration left_;
  absl::Status lost_;
};

}  // namespace kube::typed::internal

#endif  // CLIENTSET_TYPED_INTERNAL_BODY_STREAM_H_
