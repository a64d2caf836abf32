#ifndef APISERVER_SERVER_ADDRESS_H_
#define APISERVER_SERVER_ADDRESS_H_

#include <cstdint>
#include <string>

namespace kube::apiserver {

// The address at which clients reach the server, as objects of the cluster show it.
struct ServerAddress {
  std::string ip = "127.0.0.1";
  uint16_t port = 6443;
  // The certificate authority of client certificates, as PEM; may be empty.
  std::string client_ca = {};
  // The certificate authority of the server's own certificate, as PEM. Empty without TLS.
  std::string server_ca = {};
};

}  // namespace kube::apiserver

#endif  // APISERVER_SERVER_ADDRESS_H_
