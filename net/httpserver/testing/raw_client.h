#ifndef NET_HTTPSERVER_TESTING_RAW_CLIENT_H_
#define NET_HTTPSERVER_TESTING_RAW_CLIENT_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "net/io/file_descriptor.h"

namespace kube::httpserver {

// A TCP connection to a server on 127.0.0.1, for tests that send bytes that no HTTP client sends.
// Reads and writes time out after ten seconds. Thread-compatible.
class RawClient {
 public:
  // `from` is the client's own address in 127.0.0.0/8, such as "127.0.0.2", for servers that
  // distinguish their clients.
  explicit RawClient(uint16_t port, const std::string& from = "127.0.0.1");

  bool connected() const { return connected_; }

  // Sends all bytes, or as many as the server accepts.
  void Send(absl::string_view bytes);
  // Reads until `end` has arrived, and returns what was read, including `end`; if the server closes
  // first, returns what arrived until then.
  std::string ReadUntil(absl::string_view end);
  std::string ReadToEnd();
  // Returns whether the server closed the connection with RST. Call it after ReadToEnd.
  bool was_reset() const { return was_reset_; }

  void HalfClose();
  void Close() { socket_.Close(); }
  // Closes with RST.
  void Reset();

 private:
  // Returns false at the end, or if nothing arrives in time.
  bool Fill();

  io::FileDescriptor socket_;
  bool connected_ = false;
  bool was_reset_ = false;
  std::string buffer_;
};

}  // namespace kube::httpserver

#endif  // NET_HTTPSERVER_TESTING_RAW_CLIENT_H_
