#ifndef APISERVER_STREAMING_LENT_STREAM_H_
#define APISERVER_STREAMING_LENT_STREAM_H_

#include <memory>

#include "net/io/duplex_stream.h"

namespace kube::apiserver::internal {

// A stream that the function of a port is lent. When the function closes or destroys it, only what
// the server sends ends: the server itself goes on reading, so that bytes which the client still
// sends do no harm, and nothing that it has not read yet is lost.
//
//   Loan loan(channels.Channel(number));
//   const absl::Status status = function(ctx, port, loan.Lend());
//   loan.End();
//
// Thread-compatible.
class Loan {
 public:
  explicit Loan(std::unique_ptr<io::DuplexStream> stream);

  // Call it once. The result may outlive the loan, and the stream.
  std::unique_ptr<io::DuplexStream> Lend();

  // Takes the stream back: the calls of what was lent fail from now on. Waits for those that are
  // under way on other threads, which end at once.
  void End();

  io::DuplexStream& stream();

  struct Shared;

 private:
  const std::shared_ptr<Shared> shared_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_STREAMING_LENT_STREAM_H_
