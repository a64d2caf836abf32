#ifndef NET_HTTPCLIENT_INTERNAL_CONNECTION_GROUP_H_
#define NET_HTTPCLIENT_INTERNAL_CONNECTION_GROUP_H_

#include <curl/curl.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "apimachinery/base/monotonic_time.h"
#include "net/httpclient/http_transport.h"
#include "net/httpclient/internal/connection_planner.h"
#include "net/httpclient/internal/curl_options.h"
#include "net/httpclient/internal/dial_threads.h"
#include "net/httpclient/internal/endpoint.h"
#include "net/httpclient/internal/session.h"
#include "net/httpclient/internal/transfer.h"
#include "net/httpclient/internal/transport_metrics.h"
#include "net/io/event_loop.h"

namespace kube::httpclient::internal {

// Owns all connections and requests of one server with equal ConnectionOptions, and carries out the
// planner's decisions. Calls only go down, to connections, their sessions and transfers; news comes
// up as tasks of the loop. Thread-compatible.
class ConnectionGroup {
 public:
  // What all groups share. It outlives them.
  struct Shared {
    io::EventLoop& loop;
    const HttpTransportOptions& options;
    TransportMetrics& metrics;
    DialThreads& dials;
  };

  // `upgrade` means that the group is for requests with HttpRequest::upgrade, each of which gets a
  // connection of its own.
  ConnectionGroup(const Shared& shared, const Endpoint& endpoint,
                  std::shared_ptr<const ConnectionOptions> connection, CURLSH* share, bool upgrade);
  ~ConnectionGroup();
  ConnectionGroup(const ConnectionGroup&) = delete;
  ConnectionGroup& operator=(const ConnectionGroup&) = delete;

  const ConnectionOptions& connection_options() const { return options_.connection(); }

  void Start(std::shared_ptr<Transfer> transfer);
  // Ends all requests with kClosed, when the transport ends.
  void GiveUp();

  // Closes all connections and ends all requests with kLost, also those that wait: they would open
  // another connection with the same options.
  void CloseAll();

  // Closes the connections that are idle since before `since`. Of those that have been idle for at
  // least a second, closes all but `keep`; the second lets a burst of requests find its connections
  // again.
  void CloseIdle(size_t keep, base::MonotonicTime since);

  // Returns whether there are requests that an orderly shutdown waits for. Those whose protocol was
  // switched may run forever and do not count.
  bool busy() const;
  bool idle() const { return requests_.empty() && lines_.empty(); }

 private:
  // A connection or a request, with what the group knows of it.
  struct Line;
  struct Request;

  const std::string& authority() const { return options_.authority(); }

  void LookAfter(Line& line);
  // Returns false if the connection could not be opened and was destroyed.
  bool LookAtOpening(Line& line);
  void LookAfter(Request& request);

  // Places waiting requests on connections and opens further connections.
  void Dispatch();
  bool Open();
  void Close(Line& line);
  void EndAll(Line& line, const StreamEnd& end);
  // Closes the connections that no request waits for any longer and that must not be kept for
  // later ones: those of upgrades, and those that a ConnectionDialer has not opened yet.
  void CloseUnneeded();

  // Removes a request that has not ended from its connection or from the queue.
  void Detach(Request& request);
  void Leave(Request& request);
  void End(Request& request, const StreamEnd& end);
  void Finish(Request& request, const absl::Status& status);
  void FailWaiting(size_t count, const absl::Status& status);
  // Counts a failed attempt of each waiting request, because of a new connection that takes none.
  void DisplaceWaiting(const StreamEnd& end);

  const Shared& shared_;
  const CurlOptions options_;
  ConnectionPlanner planner_;
  std::vector<std::unique_ptr<Request>> requests_;
  std::deque<Request*> waiting_;  // those of requests_ without a connection
  std::vector<std::unique_ptr<Line>> lines_;
  io::EventLoop::Task dispatch_;
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_CONNECTION_GROUP_H_
