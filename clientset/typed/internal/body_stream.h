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

// The body of a list or a watch that is decoded while it comes: it counts the bytes, and counts as
// lost when nothing has come for some time. Only the time that somebody waits in Read counts: a
// reader that is busy elsewhere says nothing about the server.
class BodyStream final : public watch::ByteStream {
 public:
  // Zero: there is no time limit.
  BodyStream(std::unique_ptr<watch::ByteStream> stream, absl::Duration idle_timeout,
             base::Counter bytes = {});

  // After `idle_timeout` a transport error of kind kLost, and then again at once.
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
