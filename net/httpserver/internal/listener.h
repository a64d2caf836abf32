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
#include "net/httpserver/internal/file_descriptor.h"
#include "net/httpserver/internal/loop.h"

namespace kube::httpserver::internal {

// A socket that listens on an address of this machine, and the port that it got.
struct ListeningSocket {
  FileDescriptor socket;
  uint16_t port = 0;
};
absl::StatusOr<ListeningSocket> Listen(absl::string_view address, uint16_t port);

// "127.0.0.1:80", "[::1]:80"
std::string AddressText(const sockaddr_storage& address);

// Accepts connections and deals them out to the loops, in turn. Lives on the first loop's thread.
class Listener final : public Pollable {
 public:
  Listener(FileDescriptor socket, std::vector<std::shared_ptr<Loop>> loops, ServerContext& server);

  // On the first loop's thread, once.
  absl::Status Start(std::shared_ptr<Listener> self);

  void OnEvents(uint32_t events) override;
  void OnTick(base::MonotonicTime now) override;
  // There may be room again. On the first loop's thread.
  void Resume();
  // Refuses connections from now on.
  void Shutdown() override;
  void OnStop() override { id_ = 0; }

 private:
  bool IsFull() const;
  // Whether there is room for the connection that waits. False: not yet, or none waits.
  bool HasRoom();
  // Accepts nothing until Resume or the next tick.
  void Pause();
  void Accepted(FileDescriptor socket, std::string peer_address);

  FileDescriptor socket_;
  const std::vector<std::shared_ptr<Loop>> loops_;
  ServerContext& server_;
  uint64_t id_ = 0;
  size_t next_loop_ = 0;
  bool paused_ = false;  // there is no room, or no descriptor
};

}  // namespace kube::httpserver::internal

#endif  // NET_HTTPSERVER_INTERNAL_LISTENER_H_
