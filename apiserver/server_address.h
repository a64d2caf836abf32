#ifndef APISERVER_SERVER_ADDRESS_H_
#define APISERVER_SERVER_ADDRESS_H_

#include <cstdint>
#include <string>

namespace kube::apiserver {

// Where clients reach the server, as objects of the cluster tell it.
struct ServerAddress {
  std::string ip = "127.0.0.1";
  uint16_t port = 6443;
  // The authority of clients' certificates, PEM. Empty: there are no such certificates.
  std::string client_ca = {};
};

}  // namespace kube::apiserver

#endif  // APISERVER_SERVER_ADDRESS_H_
