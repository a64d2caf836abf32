#ifndef NET_HTTPSERVER_TESTING_FAULTS_H_
#define NET_HTTPSERVER_TESTING_FAULTS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/functional/any_invocable.h"
#include "net/httpserver/exchange.h"

namespace kube::httpserver::internal {
class FaultControl;
}  // namespace kube::httpserver::internal

namespace kube::httpserver {

// What a bad server or network does to a connection, for tests of clients. A handler of a Server
// asks for the faults of its exchange's connection, and uses them while it answers:
//
//   server.Start(..., [](std::shared_ptr<Exchange> exchange) {
//     exchange->Start(200, {});
//     exchange->Write("half of the ans");
//     Faults::Of(*exchange)->ResetConnection();
//   });
//
// Other faults need none of this: Exchange::Inform sends 1xx, Respond sends what is huge or cut
// off, Abort breaks a response off. What happens below the socket is not there: lost packets, and
// hosts that vanish without RST (StallInput and StallOutput together come close, but the kernel
// still acknowledges).
//
// Each takes effect soon, on the connection's thread, in the order of the calls and after what the
// exchange has written before. What is written after the call may still go out first: see Then.
// Where the connection has gone, nothing happens. Thread-safe.
class Faults {
 public:
  // Nothing: the exchange is not one of a Server.
  static std::optional<Faults> Of(Exchange& exchange);

  // Sends nothing more, until ResumeOutput. The server's write_timeout goes on.
  void StallOutput();
  void ResumeOutput();
  // Reads nothing more: the client's window fills.
  void StallInput();
  // So many bytes a second; at least a hundred.
  void SlowDown(size_t bytes_per_second);

  // Closes with RST, and so may take back what was sent.
  void ResetConnection();
  // Closes the sending side, in the middle of what is there.
  void HalfClose();
  // Closes without a farewell of TLS, after so many more bytes on the wire.
  void CloseAfter(size_t bytes);

  // Bytes among those of HTTP, as they are: wrong framing.
  void SendRaw(std::string bytes);
  // Calls it when the faults before it have taken effect: to answer only then.
  //   faults.SlowDown(1000);
  //   faults.Then([exchange] { exchange->Respond({.body = text}); });
  void Then(absl::AnyInvocable<void()> closure);

  // HTTP/2: GOAWAY, and RST_STREAM for every request. Over HTTP/1 nothing happens.
  void SendGoAway(uint32_t error_code);
  void ResetStreams(uint32_t error_code);

 private:
  explicit Faults(std::shared_ptr<internal::FaultControl> control);

  std::shared_ptr<internal::FaultControl> control_;
};

}  // namespace kube::httpserver

#endif  // NET_HTTPSERVER_TESTING_FAULTS_H_
