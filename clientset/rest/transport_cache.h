#ifndef CLIENTSET_REST_TRANSPORT_CACHE_H_
#define CLIENTSET_REST_TRANSPORT_CACHE_H_

#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/mutex.h"
#include "clientset/rest/config.h"
#include "net/httpclient/http_transport.h"

namespace kube::rest {

// Lets clients that are made in different places of a program share a transport: its I/O thread
// and, where their configurations reach the server in the same way, its connections. That is so if
// the host, the authorities, the client's certificate, the server name, the proxy, the dialer and
// the protocol are equal; the other fields, such as tokens, users and time-outs, may differ.
// (client-go: the cache of `transport.TLSConfigFor`, which is one of the process and keeps its
// transports for ever)
//
//   KUBE_ASSIGN_OR_RETURN(const rest::Config shared, transports.Share(config));
//   return rest::MakeClient(shared);
//
// The cache keeps no transport alive: it ends, with its thread and its connections, when the last
// client is gone that uses it, and the next Share makes a new one. Clients may outlive the cache.
// Thread-safe.
class TransportCache {
 public:
  // `options` are those of the transports. Their metrics are registered once for each transport.
  explicit TransportCache(httpclient::HttpTransportOptions options = {})
      : options_(std::move(options)) {}
  TransportCache(const TransportCache&) = delete;
  TransportCache& operator=(const TransportCache&) = delete;

  // Returns `config` with the common transport as its `transport`. A configuration that has a
  // transport is returned as it is. Does not connect. Returns the errors of MakeHttpTransport.
  absl::StatusOr<Config> Share(Config config) ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns the common transport, for its statistics or for other requests; makes it if no
  // client has one.
  absl::StatusOr<std::shared_ptr<httpclient::HttpTransport>> Get() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  const httpclient::HttpTransportOptions options_;
  base::Mutex mutex_;
  std::weak_ptr<httpclient::HttpTransport> transport_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::rest

#endif  // CLIENTSET_REST_TRANSPORT_CACHE_H_
