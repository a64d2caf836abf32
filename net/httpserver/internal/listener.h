#ifndef NET_HTTPSERVER_INTERNAL_LISTENER_H_
#define NET_HTTPSERVER_INTERNAL_LISTENER_H_

#include <sys/socket.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/monotonic_time.h"
#include "net/httpserver/internal/connection.h"
#include "net/httpserver/internal/worker.h"
#include "net/io/file_descriptor.h"

namespace kube::httpserver::internal {

// A socket that listens on an address of this machine, and its port.
struct ListeningSocket {
  io::FileDescriptor socket;
  uint16_t port = 0;
};
absl::StatusOr<ListeningSocket> Listen(absl::string_view address, uint16_t port);

// Returns "127.0.0.1:80" or "[::1]:80".
std::string AddressText(const sockaddr_storage& address);

// Accepts connections and distributes them among the workers in turn. It lives on the first
// worker's thread.
class Listener final : public Served {
 public:
  Listener(io::FileDescriptor socket, std::vector<std::shared_ptr<Worker>> workers,
           ServerContext& server);

  // Call it once, before the workers run.
  void Start(std::shared_ptr<Listener> self);

  void OnEvents(int fd, uint32_t events) override;
  void OnTick(base::MonotonicTime now) override;
  // Continues to accept, since there may be room. Call it on the first worker's thread.
  void Resume();
  // Closes the socket, so that new connections are refused.
  void Shutdown() override;
  void OnStop() override { Shutdown(); }

 private:
  bool IsFull() const;
  // Returns whether the waiting connection can be accepted; false if there is no room yet, or if
  // none waits.
  bool HasRoom();
  // Stops accepting until Resume or the next tick.
  void Pause();
  void Accepted(io::FileDescriptor socket, std::string peer_address);

  io::FileDescriptor socket_;
  const std::vector<std::shared_ptr<Worker>> workers_;
  ServerContext& server_;
  size_t next_worker_ = 0;
  bool paused_ = false;  // no room, or no descriptors
};

}  // namespace kube::httpserver::internal

#endif  // NET_HTTPSERVER_INTERNAL_LISTENER_H_
