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

// A socket that listens on an address of this machine, and the port that it got.
struct ListeningSocket {
  io::FileDescriptor socket;
  uint16_t port = 0;
};
absl::StatusOr<ListeningSocket> Listen(absl::string_view address, uint16_t port);

// "127.0.0.1:80", "[::1]:80"
std::string AddressText(const sockaddr_storage& address);

// Accepts connections and deals them out to the workers, in turn. Lives on the first one's thread.
class Listener final : public Served {
 public:
  Listener(io::FileDescriptor socket, std::vector<std::shared_ptr<Worker>> workers,
           ServerContext& server);

  // Once, before the workers run.
  void Start(std::shared_ptr<Listener> self);

  void OnEvents(int fd, uint32_t events) override;
  void OnTick(base::MonotonicTime now) override;
  // There may be room again. On the first worker's thread.
  void Resume();
  // Refuses connections from now on.
  void Shutdown() override;
  void OnStop() override { Shutdown(); }

 private:
  bool IsFull() const;
  // Whether there is room for the connection that waits. False: not yet, or none waits.
  bool HasRoom();
  // Accepts nothing until Resume or the next tick.
  void Pause();
  void Accepted(io::FileDescriptor socket, std::string peer_address);

  io::FileDescriptor socket_;
  const std::vector<std::shared_ptr<Worker>> workers_;
  ServerContext& server_;
  size_t next_worker_ = 0;
  bool paused_ = false;  // there is no room, or no descriptor
};

}  // namespace kube::httpserver::internal

#endif  // NET_HTTPSERVER_INTERNAL_LISTENER_H_
