#ifndef CLIENTSET_TYPED_INTERNAL_IDLE_STREAM_H_
#define CLIENTSET_TYPED_INTERNAL_IDLE_STREAM_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/watch/byte_stream.h"

namespace kube::typed::internal {

// A stream that counts as lost when nothing has come for some time. Only the time that somebody
// waits in Read counts: a reader that is busy elsewhere says nothing about the server.
class IdleStream final : public watch::ByteStream {
 public:
  IdleStream(std::unique_ptr<watch::ByteStream> stream, absl::Duration timeout);

  // After `timeout` a transport error of kind kLost, and then again at once.
  absl::StatusOr<std::string> Read(const Context& ctx) override;
  void Recycle(std::string bytes) override;
  void Close() override;

 private:
  const std::unique_ptr<watch::ByteStream> stream_;
  const absl::Duration timeout_;
  absl::Duration left_;
  absl::Status lost_;
};

}  // namespace kube::typed::internal

#endif  // CLIENTSET_TYPED_INTERNAL_IDLE_STREAM_H_
