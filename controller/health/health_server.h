#ifndef CONTROLLER_HEALTH_HEALTH_SERVER_H_
#define CONTROLLER_HEALTH_HEALTH_SERVER_H_

#include <cstdint>
#include <functional>
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
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"

namespace kube::health {

// A further path of a HealthServer, such as a page for people.
struct PathHandler {
  // Such as "/debug/status": begins with "/", and is no path of a check and not "/metrics".
  std::string path = {};
  // Answers a GET or HEAD of this path. Called by a few threads of the server, also at the same
  // time; it may block, but /metrics waits for the same threads. Never null.
  std::function<httpserver::Response(const httpserver::Request& request)> handle = nullptr;
};

// Decides who may see a path: returns nullopt to admit a request, or else the response that refuses
// it. Called by a few threads, also at the same time, without locks held. It may block, for a
// bounded time, and must return soon after `ctx` is done, which it is when the server is destroyed.
// (controller-runtime: `metrics/server.Filter`)
using AccessCheck = std::function<std::optional<httpserver::Response>(
    const Context& ctx, const httpserver::Request& request)>;

// Options of a HealthServer.
struct HealthServerOptions {
  // Address to listen on. Default: all IPv4 addresses, as probes come from the node; "::" for IPv6.
  std::string address = "0.0.0.0";
  // Port. Default: 8080, as controller-runtime's metrics. Zero: any free port; see port().
  uint16_t port = 8080;
  // TLS settings. Default: plain HTTP without authentication. Metrics reveal a lot about a program:
  // with ClientAuth::kRequire only clients with a certificate are admitted.
  std::optional<httpserver::TlsOptions> tls = {};

  // The checks of each endpoint, in the order of the response. Names must be unique within an
  // endpoint. Empty: PingCheck. A check may be used in several endpoints if several threads may
  // call it.
  //   /livez    if it fails, the program is restarted
  //   /readyz   if it fails, no requests are sent to the program
  //   /healthz  older endpoint for both purposes
  std::vector<HealthCheck> healthz = {};
  std::vector<HealthCheck> livez = {};
  std::vector<HealthCheck> readyz = {};
  // Timeout of one check, and so of a whole response. Default: five seconds. A kubelet waits for
  // timeoutSeconds of the probe, which is one second by default.
  absl::Duration check_timeout = absl::Seconds(5);

  // Metrics served at /metrics. Null, the default: there is no /metrics.
  std::shared_ptr<const base::PrometheusRegistry> metrics = nullptr;

  // Further paths. Each must be unique.
  std::vector<PathHandler> handlers = {};

  // Guards paths: a request for one of them is answered only if this admits it. Null, the default:
  // everybody may see everything.
  AccessCheck access = nullptr;
  // The paths that `access` guards, with all paths below them: "/debug" also guards
  // "/debug/status". Empty, the default: all paths, and so also those that kubelets ask for.
  std::vector<std::string> guarded_paths = {};

  // Whether HTTP/2 is spoken beside HTTP/1.1. Default: yes, as controller-runtime's servers.
  bool http2 = true;
};

// An HTTP server with health checks and metrics of a program, for kubelets, Prometheus and people.
//
//   GET /healthz, /livez, /readyz     "ok", or 500 and which checks have failed
//       ?verbose                      each check, also if all is well
//       ?exclude=NAME                 all but this one; may be repeated
//   GET /healthz/NAME, ...            one check alone, and why it failed
//   GET /metrics                      Prometheus' text
//   GET PATH                          what HealthServerOptions::handlers has for it
//
// The responses are those of k8s.io/apiserver's healthz package. In contrast to it, checks run in
// parallel, each on its own thread and at most once at a time, however many requests there are. A
// check that takes longer than check_timeout has failed, so every request gets a response. No
// request waits for the checks of another endpoint: a slow /readyz does not delay /livez.
//
//   KUBE_ASSIGN_OR_RETURN(
//       std::unique_ptr<health::HealthServer> server,
//       health::HealthServer::Start(
//           {.port = 8080,
//            .livez = {{"leaderElection",
//                       [watch_dog](const Context&) { return watch_dog->Check(); }}},
//            .readyz = {{"informers", [&](const Context&) { return informers.CheckSynced(); }}},
//            .metrics = registry}));
//
// The resources that clients can use are bounded: connections (600; a new one replaces the one that
// has been idle longest), headers, and requests waiting for one endpoint (128). Peers, identified
// by their address, share the 128 places. When all are taken, a request of a peer that has at least
// two places fewer than the largest peer takes over a place of that peer, whose newest request is
// answered with 503; any other request is answered with 503. So frequent requests cannot make a
// kubelet's probe fail, unless they come from the kubelet's address.
//
// Uses the real clock and real sockets. Thread-safe.
class HealthServer {
 private:
  class Impl;
  // Makes the constructor usable by Start only.
  struct Key {
    explicit Key() = default;
  };

 public:
  // Starts the server and its threads. Returns INVALID_ARGUMENT if a check has no name, no function
  // or the name of another one, if a handler has no function or a path that is not its own, if a
  // guarded path does not begin with "/" or there is no `access` to guard it, or if check_timeout
  // is not positive; otherwise the errors are those of httpserver::Server::Start.
  static absl::StatusOr<std::unique_ptr<HealthServer>> Start(HealthServerOptions options = {});

  HealthServer(Key, std::unique_ptr<Impl> impl);
  // Closes all connections, cancels the contexts of running checks and waits for the checks to
  // return.
  ~HealthServer();
  HealthServer(const HealthServer&) = delete;
  HealthServer& operator=(const HealthServer&) = delete;

  // Stops accepting requests and blocks until the present ones have ended or `ctx` is done.
  // (`httpserver::Server::Shutdown`)
  absl::Status Shutdown(const Context& ctx);

  uint16_t port() const;
  // Returns the base URL, such as "http://0.0.0.0:8080".
  std::string url() const;

 private:
  const std::unique_ptr<Impl> impl_;
};

}  // namespace kube::health

#endif  // CONTROLLER_HEALTH_HEALTH_SERVER_H_
