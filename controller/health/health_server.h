#ifndef CONTROLLER_HEALTH_HEALTH_SERVER_H_
#define CONTROLLER_HEALTH_HEALTH_SERVER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/prometheus.h"
#include "controller/health/health_check.h"
#include "net/httpserver/server.h"

namespace kube::health {

struct HealthServerOptions {
  // Where to listen. Default: all IPv4 addresses, as probes come from the node; "::" for IPv6.
  std::string address = "0.0.0.0";
  // Default: 8080, as controller-runtime's metrics. Zero: any free one, see port().
  uint16_t port = 8080;
  // Default: plain HTTP, to anybody. Metrics tell a lot about a program: with TLS and
  // ClientAuth::kRequire, only those come in who show a certificate.
  std::optional<httpserver::TlsOptions> tls = {};

  // What each endpoint asks, in this order; names differ within one. Empty: PingCheck. One check
  // may be in several endpoints, if several threads may call it.
  //   /livez    not OK: restart the program
  //   /readyz   not OK: send it no requests
  //   /healthz  the old one, for both
  std::vector<HealthCheck> healthz = {};
  std::vector<HealthCheck> livez = {};
  std::vector<HealthCheck> readyz = {};
  // How long one check, and so a whole answer, may take. Default: five seconds; a kubelet waits for
  // timeoutSeconds of the probe, which is one unless it says otherwise.
  absl::Duration check_timeout = absl::Seconds(5);

  // What /metrics shows. Null: there is no /metrics.
  std::shared_ptr<const base::PrometheusRegistry> metrics = nullptr;
};

// An HTTP server for those who watch over a program: kubelets, Prometheus, people.
//
//   GET /healthz, /livez, /readyz     "ok", or 500 and which checks have failed
//       ?verbose                      each check, also if all is well
//       ?exclude=NAME                 all but this one; may be repeated
//   GET /healthz/NAME, ...            one check alone, and why it failed
//   GET /metrics                      Prometheus' text
//
// Answers are those of k8s.io/apiserver's healthz. Unlike there, checks run side by side, each on a
// thread of its own and once at a time, however many ask; one that does not answer in check_timeout
// has failed, so that there is always an answer. Nobody waits for another endpoint's checks: a slow
// /readyz does not delay /livez.
//
//   KUBE_ASSIGN_OR_RETURN(std::unique_ptr<HealthServer> server, HealthServer::Start({
//       .livez = {{"leaderElection", [&](const Context&) { return watch_dog->Check(); }}},
//       .readyz = {{"informers", [&](const Context&) { return informers.CheckSynced(); }}},
//       .metrics = registry}));
//
// What strangers can use up is bounded: connections (400; for another one, the one that has been
// without a request for longest is closed), headers, requests that wait for one endpoint (128).
// Peers, which differ in their address, share these 128: when all wait, the next request of the
// peer that has most is answered with 503, and one of another peer takes a place of that peer's,
// whose newest is answered with 503. So nobody who asks too often makes a kubelet's probe fail, if
// it is not from the kubelet's own address. It runs on the real clock and sockets. Thread-safe.
class HealthServer {
 private:
  class Impl;
  // Only Start has one.
  struct Key {
    explicit Key() = default;
  };

 public:
  // Listens and starts its threads. INVALID_ARGUMENT for options that make no sense; otherwise as
  // httpserver::Server::Start.
  static absl::StatusOr<std::unique_ptr<HealthServer>> Start(HealthServerOptions options = {});

  HealthServer(Key, std::unique_ptr<Impl> impl);
  // Closes all connections and waits for checks that run: their contexts are done.
  ~HealthServer();
  HealthServer(const HealthServer&) = delete;
  HealthServer& operator=(const HealthServer&) = delete;

  // Lets the requests that are there end first, or until `ctx` is done. (Server::Shutdown)
  absl::Status Shutdown(const Context& ctx);

  uint16_t port() const;
  // "http://0.0.0.0:8080"
  std::string url() const;

 private:
  const std::unique_ptr<Impl> impl_;
};

}  // namespace kube::health

#endif  // CONTROLLER_HEALTH_HEALTH_SERVER_H_
