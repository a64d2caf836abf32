#ifndef CLIENTSET_PORTFORWARD_POD_DIALER_H_
#define CLIENTSET_PORTFORWARD_POD_DIALER_H_

#include <cstddef>
#include <memory>

#include "clientset/portforward/forwarder.h"
#include "net/httpclient/connection_dialer.h"

namespace kube::portforward {

struct PodDialerOptions {
  // The number of connections at a time; Dial waits for room. Each has two threads. Must be
  // positive; zero counts as one.
  size_t max_connections = 1000;
};

// Returns a dialer that connects to ports of a pod, whatever the host of the URL is: an HTTP client
// then talks to a server in a pod without a local port.
//
//   const auto connection = std::make_shared<httpclient::ConnectionOptions>();
//   connection->dialer = portforward::PodDialer(forwarder);
//   httpclient::HttpRequest request = {.url = "http://localhost:8080/healthz"};
//   request.connection = connection;
//   return transport->RoundTrip(ctx, std::move(request));
//
// Its Dial returns the errors of Forwarder::Dial. A port on which nothing listens is noticed later,
// when the connection ends without an answer; the log then has the text of the kubelet at verbosity
// 4.
//
// The destructor of the dialer ends its connections and joins their threads.
std::shared_ptr<httpclient::ConnectionDialer> PodDialer(std::shared_ptr<Forwarder> forwarder,
                                                        const PodDialerOptions& options = {});

}  // namespace kube::portforward

#endif  // CLIENTSET_PORTFORWARD_POD_DIALER_H_
