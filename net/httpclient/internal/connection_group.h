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
#include "net/httpclient/internal/active_transfer.h"
#include "net/httpclient/internal/connection.h"
#include "net/httpclient/internal/connection_planner.h"
#include "net/httpclient/internal/curl_options.h"
#include "net/httpclient/internal/endpoint.h"
#include "net/httpclient/internal/event_loop.h"
#include "net/httpclient/internal/transfer.h"
#include "net/httpclient/internal/transport_metrics.h"

namespace kube::httpclient::internal {

// All connections and requests of one server, with equal ConnectionOptions: carries out what the
// planner says. Thread-compatible.
class ConnectionGroup final : public Connection::Observer {
 public:
  // What groups share, which outlives them.
  struct Shared {
    EventLoop& loop;
    const HttpTransportOptions& options;
    TransportMetrics& metrics;
    // Groups that need Process, and transfers that need Deliver.
    std::vector<ConnectionGroup*> changed_groups = {};
    std::vector<ActiveTransfer*> changed_transfers = {};
  };

  ConnectionGroup(Shared& shared, const Endpoint& endpoint,
                  std::shared_ptr<const ConnectionOptions> connection, CURLSH* share);
  ~ConnectionGroup() override;

  const ConnectionOptions& connection_options() const { return options_.connection(); }
  const std::string& authority() const { return options_.authority(); }

  void Start(std::shared_ptr<Transfer> transfer);
  // Of this group.
  void Cancel(ActiveTransfer& transfer);
  static void Resume(ActiveTransfer& transfer);
  // Ends all requests: the transport does.
  void GiveUp();

  // Looks after what has changed.
  void Process();
  // Closes connections that are idle since before `since`; and all but `keep` of those that have
  // been idle for a second, so that a burst of requests finds its connections again.
  void CloseIdle(size_t keep, base::MonotonicTime since);

  size_t transfers() const { return transfers_.size(); }
  bool idle() const { return transfers_.empty() && connections_.empty() && !changed_; }

  // Of its transfers.
  void OnNews(ActiveTransfer& transfer) { shared_.changed_transfers.push_back(&transfer); }
  void OnPaused() { shared_.metrics.OnPaused(); }
  void OnHeaderTimeout(ActiveTransfer& transfer);

  void OnChanged(Connection& connection) override;

 private:
  void MarkChanged();
  void Dispatch();
  bool Open();
  void LookAfter(Connection& connection);
  // False: it could not be opened, and is no more.
  bool LookAtOpening(Connection& connection);
  void EndAll(Connection& connection, const StreamEnd& end);
  void End(ActiveTransfer& transfer, const StreamEnd& end);
  void Close(Connection& connection);
  void Detach(ActiveTransfer& transfer);
  void Leave(ActiveTransfer& transfer);
  void Finish(ActiveTransfer& transfer, const absl::Status& status);
  void FailWaiting(size_t count, const absl::Status& status);
  // Of a new connection, which took no request.
  void DisplaceWaiting(const StreamEnd& end);

  Shared& shared_;
  const CurlOptions options_;
  ConnectionPlanner planner_;
  std::vector<std::unique_ptr<ActiveTransfer>> transfers_;
  std::deque<ActiveTransfer*> waiting_;  // of these, for a connection
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<Connection*> changed_connections_;
  std::vector<ActiveTransfer*> ended_;  // while they are looked after
  bool changed_ = false;
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_CONNECTION_GROUP_H_
