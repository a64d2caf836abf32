#ifndef CLIENTSET_REST_INTERNAL_CURL_GROUP_H_
#define CLIENTSET_REST_INTERNAL_CURL_GROUP_H_

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "apimachinery/base/monotonic_time.h"
#include "clientset/rest/http_transport.h"
#include "clientset/rest/internal/connection_planner.h"
#include "clientset/rest/internal/curl_connection.h"
#include "clientset/rest/internal/curl_options.h"
#include "clientset/rest/internal/curl_transfer.h"
#include "clientset/rest/internal/endpoint.h"
#include "clientset/rest/internal/event_loop.h"
#include "clientset/rest/internal/transfer.h"
#include "clientset/rest/internal/transport_metrics.h"

namespace kube::rest::internal {

// All connections and requests of one server, with equal ConnectionOptions: carries out what the
// planner says. Thread-compatible.
class CurlGroup final : public CurlTransfer::Observer, public CurlConnection::Observer {
 public:
  // What groups share, which outlives them.
  struct Shared {
    EventLoop& loop;
    const HttpTransportOptions& options;
    TransportMetrics& metrics;
    // Groups that need Process, and transfers that need Deliver.
    std::vector<CurlGroup*> changed_groups = {};
    std::vector<CurlTransfer*> changed_transfers = {};
  };

  CurlGroup(Shared& shared, const Endpoint& endpoint,
            std::shared_ptr<const ConnectionOptions> connection, CURLSH* share);
  ~CurlGroup() override;

  const ConnectionOptions& connection_options() const { return options_.connection(); }

  void Start(std::shared_ptr<Transfer> transfer, const Endpoint& endpoint);
  // Of this group.
  void Cancel(CurlTransfer& transfer);
  static void Resume(CurlTransfer& transfer);
  // Ends all requests: the transport does.
  void GiveUp();

  // Looks after what has changed.
  void Process();
  // Closes connections that are idle since before `since`; and all but `keep` of those that have
  // been idle for a second, so that a burst of requests finds its connections again.
  void CloseIdle(size_t keep, base::MonotonicTime since);

  size_t transfers() const { return transfers_.size(); }
  bool idle() const { return transfers_.empty() && connections_.empty() && !changed_; }

  void OnPlaced(CurlTransfer& transfer) override;
  void OnHead(CurlTransfer& transfer, int http_version) override;
  void OnNews(CurlTransfer& transfer) override;
  void OnPaused() override { shared_.metrics.OnPaused(); }
  void OnHeaderTimeout(CurlTransfer& transfer) override;
  void OnSilence(CurlTransfer& transfer) override;
  void OnChanged(CurlConnection& connection) override;
  void OnOpening(CurlConnection& connection) override;

 private:
  void MarkChanged();
  void Dispatch();
  bool Open();
  void Use(CurlConnection& connection, CurlTransfer& transfer);
  void Displace(CurlConnection& connection, CurlTransfer& transfer);
  void LookAfter(CurlConnection& connection);
  void EndOne(CurlConnection& connection, CurlTransfer& transfer, CURLcode code);
  // What curl says has ended; and if that has broken the connection, all that is on it.
  void EndAll(CurlConnection& connection);
  void Break(CurlConnection& connection, const absl::Status& cause);
  void WatchOpening(CurlConnection& connection);
  void OnOpeningTimer(CurlConnection& connection);
  void Close(CurlConnection& connection);
  void Detach(CurlTransfer& transfer);
  void Finish(CurlTransfer& transfer, absl::Status status);
  void FailWaiting(const absl::Status& status);

  Shared& shared_;
  const CurlOptions options_;
  ConnectionPlanner planner_;
  // Handles: in use, and not.
  std::unordered_map<CurlTransfer*, std::unique_ptr<CurlTransfer>> transfers_;
  std::vector<std::unique_ptr<CurlTransfer>> spare_;
  std::deque<CurlTransfer*> waiting_;
  std::vector<CurlConnection*> changed_connections_;
  std::vector<CurlConnection*> corked_;  // while Dispatch runs
  bool changed_ = false;
  std::unordered_map<CurlConnection*, std::unique_ptr<CurlConnection>> connections_;
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CURL_GROUP_H_
