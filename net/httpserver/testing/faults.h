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

// Makes a connection misbehave like a bad server or network, for tests of clients. A handler of a
// Server obtains the faults of its exchange's connection, and uses them while it answers:
//
//   server.Start(..., [](std::shared_ptr<Exchange> exchange) {
//     exchange->Start(200, {});
//     exchange->Write("half of the ans");
//     Faults::Of(*exchange)->ResetConnection();
//   });
//
// Some faults need no such means: Exchange::Inform sends 1xx, Respond sends huge or truncated
// content, Abort aborts a response. Faults below the socket are not imitated: lost packets, and
// hosts that vanish without RST (StallInput and StallOutput together come close, but the kernel
// still acknowledges).
//
// They apply to connections that have switched protocols, too.
//
// Each call takes effect soon, on the connection's thread, in the order of the calls and after what
// the exchange has written before. What is written after the call may still be sent first: see
// Then. If the connection is closed, nothing happens. Thread-safe.
class Faults {
 public:
  // Returns nullopt if the exchange does not belong to a Server.
  static std::optional<Faults> Of(Exchange& exchange);

  // Sends nothing until ResumeOutput. The server's write_timeout still applies.
  void StallOutput();
  void ResumeOutput();
  // Reads nothing more, so that the client's sending blocks.
  void StallInput();
  // Sends at most this many bytes a second, but at least a hundred.
  void SlowDown(size_t bytes_per_second);

  // Closes with RST, which may discard data that was already sent.
  void ResetConnection();
  // Closes the sending side, even in the middle of a response.
  void HalfClose();
  // Closes without TLS's close_notify after `bytes` more bytes on the wire.
  void CloseAfter(size_t bytes);

  // Sends bytes as they are among those of HTTP, for example for wrong framing.
  void SendRaw(std::string bytes);
  // Calls `closure` once the faults before it have taken effect, to continue the answer only then.
  //   faults.SlowDown(1000);
  //   faults.Then([exchange] { exchange->Respond({.body = text}); });
  void Then(absl::AnyInvocable<void()> closure);

  // HTTP/2 only: send GOAWAY, and RST_STREAM for every request. No effect on HTTP/1.
  void SendGoAway(uint32_t error_code);
  void ResetStreams(uint32_t error_code);

 private:
  explicit Faults(std::shared_ptr<internal::FaultControl> control);

  std::shared_ptr<internal::FaultControl> control_;
};

}  // namespace kube::httpserver

#endif  // NET_HTTPSERVER_TESTING_FAULTS_H_
