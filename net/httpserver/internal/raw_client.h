#ifndef NET_HTTPSERVER_INTERNAL_RAW_CLIENT_H_
#define NET_HTTPSERVER_INTERNAL_RAW_CLIENT_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "net/httpserver/internal/file_descriptor.h"

namespace kube::httpserver::internal {

// A plain socket to a server on 127.0.0.1, for tests that send what no HTTP client would. Reading
// gives up after ten seconds. Thread-compatible.
class RawClient {
 public:
  explicit RawClient(uint16_t port);

  bool connected() const { return connected_; }

  // All of it, or as much as the server takes.
  void Send(absl::string_view bytes);
  // Until `end` was read; what was read, with it. Without it: until the server closes.
  std::string ReadUntil(absl::string_view end);
  std::string ReadToEnd();
  // Whether the server ended the connection with RST. After ReadToEnd.
  bool was_reset() const { return was_reset_; }

  void HalfClose();
  void Close() { socket_.Close(); }
  // Closes with RST.
  void Reset();

 private:
  // False: the end, or nothing came in time.
  bool Fill();

  FileDescriptor socket_;
  bool connected_ = false;
  bool was_reset_ = false;
  std::string buffer_;
};

}  // namespace kube::httpserver::internal

#endif  // NET_HTTPSERVER_INTERNAL_RAW_CLIENT_H_
