#ifndef CLIENTSET_PORTFORWARD_LISTENERS_H_
#define CLIENTSET_PORTFORWARD_LISTENERS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "clientset/portforward/forwarder.h"
#include "clientset/portforward/port_spec.h"

namespace kube::portforward {

// An address of this machine on which a port of a pod can be reached.
struct BoundPort {
  std::string ip = {};  // "127.0.0.1", "::1"
  uint16_t local = 0;   // never zero
  uint16_t remote = 0;

  friend bool operator==(const BoundPort&, const BoundPort&) = default;
};

struct ListenOptions {
  // Called for each connection of a local program, before it is forwarded; may be empty. kubectl
  // prints "Handling connection for 8888" then.
  std::function<void(const ForwardedPort& port)> on_connection = {};
  // Called with each error: of a connection, which ends with it, and of a port that cannot be
  // listened to although another one can. The message says what has failed, such as `an error
  // occurred forwarding 8888 -> 5000: …`. If empty, errors are logged.
  //
  // Both functions are called on the threads of the connections, perhaps on several at the same
  // time. They may block, and must not destroy the Listeners.
  std::function<void(const ForwardedPort& port, const absl::Status& error)> on_error = {};

  // How long Forwarder::Dial may take for a connection of a local program.
  absl::Duration dial_timeout = absl::Seconds(30);
  // The number of connections at a time. Further ones wait until the system, whose queue for them
  // is limited, accepts no more. Each has two threads. Must be positive.
  size_t max_connections = 1000;
};

// Local ports whose connections lead to ports of a pod: what `kubectl port-forward` does.
// (client-go: `portforward.PortForwarder.ForwardPorts`)
//
//   KUBE_ASSIGN_OR_RETURN(const auto listeners,
//                         portforward::Listen(ctx, forwarder, {"localhost"}, {":80"}));
//   absl::StrAppend(&out, "Forwarding from ", listeners->ports()[0].local, "\n");
//   return listeners->Wait(ctx);
//
// A failed connection leaves the others alone, and a lost connection to the cluster is made again
// for the next local one (see Forwarder); client-go ends then. Half-closed connections work in both
// directions, if the kubelet supports them: those of Kubernetes end a connection when the program
// in the pod has ended its side.
//
// Uses real sockets, and threads that wait for them, whatever the current Runtime is. Thread-safe.
class Listeners {
 private:
  // Restricts the constructor to Listen.
  struct Key {
    explicit Key() = default;
  };

 public:
  struct Impl;
  Listeners(Key, std::unique_ptr<Impl> impl);
  Listeners(const Listeners&) = delete;
  Listeners& operator=(const Listeners&) = delete;
  // Ends all connections and joins the threads.
  ~Listeners();

  // What was bound: in the order of the ports, for each by address. (client-go: `GetPorts`, without
  // the addresses)
  const std::vector<BoundPort>& ports() const;

  // Blocks until the context given to Listen is done or Close was called, and all connections have
  // ended; then returns OK. Returns ctx.status() if `ctx` ends first.
  absl::Status Wait(const Context& ctx) const;

  // Refuses new connections and ends all others. Does not block.
  void Close();

 private:
  friend absl::StatusOr<std::unique_ptr<Listeners>> Listen(const Context& ctx,
                                                           std::shared_ptr<Forwarder> forwarder,
                                                           absl::Span<const std::string> addresses,
                                                           absl::Span<const std::string> ports,
                                                           const ListenOptions& options);

  const std::unique_ptr<Impl> impl_;
};

// Listens on all pairs of an address and a port, which are as in port_spec.h, and forwards their
// connections until `ctx` is done. Returns once local programs can connect; does not wait for the
// pod. A local port that the system chooses is the same on all addresses, if it is free there.
//
// Returns the errors of ParsePorts and ParseAddresses, INVALID_ARGUMENT if an option is not as it
// must be, RESOURCE_EXHAUSTED if there are no threads, and UNAVAILABLE, with client-go's text, if
// none of the ports can be listened to; if only some cannot, ListenOptions::on_error is called for
// each. With "localhost" it is enough if one of its two addresses works.
absl::StatusOr<std::unique_ptr<Listeners>> Listen(const Context& ctx,
                                                  std::shared_ptr<Forwarder> forwarder,
                                                  absl::Span<const std::string> addresses,
                                                  absl::Span<const std::string> ports,
                                                  const ListenOptions& options = {});

}  // namespace kube::portforward

#endif  // CLIENTSET_PORTFORWARD_LISTENERS_H_
