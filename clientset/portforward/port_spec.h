#ifndef CLIENTSET_PORTFORWARD_PORT_SPEC_H_
#define CLIENTSET_PORTFORWARD_PORT_SPEC_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

// What users write to say which ports are forwarded, and to which addresses of this machine. Pure
// functions: thread-safe.
namespace kube::portforward {

// A port of this machine and the port of the pod to which it leads. (client-go:
// `portforward.ForwardedPort`)
struct ForwardedPort {
  uint16_t local = 0;  // zero lets the system choose one
  uint16_t remote = 0;

  friend bool operator==(const ForwardedPort&, const ForwardedPort&) = default;
  // Writes "8888 -> 5000".
  friend std::ostream& operator<<(std::ostream& out, const ForwardedPort& port);
};

// Parses ports as `kubectl port-forward` takes them: "5000" is the same number on both sides,
// "8888:5000" has the local one first, and ":5000" and "0:5000" let the system choose the local
// one. Returns INVALID_ARGUMENT with client-go's text if one is malformed, or if `specs` is empty.
absl::StatusOr<std::vector<ForwardedPort>> ParsePorts(absl::Span<const std::string> specs);

// An address of this machine.
struct ListenAddress {
  std::string ip = {};  // "127.0.0.1" or "::1"
  // Whether the address comes from the name "localhost", which has two addresses: it is enough if
  // one of them can be listened to. All other addresses must work.
  bool from_localhost = false;

  friend bool operator==(const ListenAddress&, const ListenAddress&) = default;
};

// Parses addresses: IPv4, IPv6, or "localhost", which is 127.0.0.1 and ::1. The result is sorted
// and has each address once. Returns INVALID_ARGUMENT with client-go's text for other names, or
// if `addresses` is empty.
absl::StatusOr<std::vector<ListenAddress>> ParseAddresses(absl::Span<const std::string> addresses);

// Returns "127.0.0.1:80" or "[::1]:80". (Go: `net.JoinHostPort`)
std::string JoinHostPort(const std::string& ip, uint16_t port);

}  // namespace kube::portforward

#endif  // CLIENTSET_PORTFORWARD_PORT_SPEC_H_
