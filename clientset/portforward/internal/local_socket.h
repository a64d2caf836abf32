#ifndef CLIENTSET_PORTFORWARD_INTERNAL_LOCAL_SOCKET_H_
#define CLIENTSET_PORTFORWARD_INTERNAL_LOCAL_SOCKET_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "net/io/file_descriptor.h"

namespace kube::portforward::internal {

// A socket that listens on an address of this machine, and its port. Accepting from it does not
// block.
struct ListeningSocket {
  io::FileDescriptor socket;
  uint16_t port = 0;
};

// Listens on an IPv4 or IPv6 address; port zero lets the system choose. An IPv6 address takes no
// IPv4 connections, as with Go's "tcp6".
absl::StatusOr<ListeningSocket> ListenOn(const std::string& ip, uint16_t port);

// A connection to a program on this machine. The calls wait in the kernel, whatever the Runtime is:
// End wakes them. One thread may read while another one writes.
class LocalSocket {
 public:
  // `socket` is a blocking socket of TCP or of a socket pair.
  explicit LocalSocket(io::FileDescriptor socket);

  // Returns the next bytes, or "" at the end and after End. The result is valid until the next
  // Read. Returns UNAVAILABLE if the program has gone.
  absl::StatusOr<absl::string_view> Read();
  // Passes all bytes to the operating system. Returns UNAVAILABLE if the program has gone, and
  // after End.
  absl::Status Write(absl::string_view bytes);
  // Ends the bytes that go to the program.
  void CloseWrite();
  // Ends both directions and wakes the threads that wait. Thread-safe.
  void End();

 private:
  // That of the largest frame that carries data.
  static constexpr size_t kBufferBytes = size_t{32} << 10;

  const io::FileDescriptor socket_;
  std::string buffer_;
};

}  // namespace kube::portforward::internal

#endif  // CLIENTSET_PORTFORWARD_INTERNAL_LOCAL_SOCKET_H_
