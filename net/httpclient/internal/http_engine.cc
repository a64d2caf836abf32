#include "net/httpclient/internal/http_engine.h"

#include <curl/curl.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "net/httpclient/internal/connection_group.h"
#include "net/httpclient/internal/curl_error.h"
#include "net/httpclient/internal/endpoint.h"
#include "net/httpclient/internal/transfer.h"
#include "net/httpclient/internal/transport_metrics.h"
#include "net/io/event_loop.h"

namespace kube::httpclient::internal {
namespace {

// Initializes curl once for the process. Thread-safe. Never undone, since others may use curl, too.
bool InitializeCurl() {
  static const bool ok = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  return ok;
}

}  // namespace

HttpEngine::HttpEngine(const HttpTransportOptions& options, io::EventLoop& loop,
                       TransportMetrics& metrics)
    : options_(options),
      loop_(loop),
      default_connection_(std::make_shared<ConnectionOptions>()),
      dials_(loop_),
      shared_{.loop = loop_, .options = options_, .metrics = metrics, .dials = dials_},
      sweep_timer_(loop_, [this] { Sweep(); }) {}

HttpEngine::~HttpEngine() = default;

absl::Status HttpEngine::Open() {
  const absl::Status no_memory = absl::ResourceExhaustedError("initialize libcurl: out of memory");
  if (!InitializeCurl()) return no_memory;
  share_.reset(curl_share_init());
  if (share_ == nullptr) return no_memory;
  // Used by one thread only, so no lock functions are needed.
  curl_share_setopt(share_.get(), CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS);
  return loop_.Open();
}

bool HttpEngine::Start(std::shared_ptr<Transfer> transfer) {
  return loop_.Post([this, transfer = std::move(transfer)] { Begin(transfer); });
}

void HttpEngine::CloseIdle() {
  loop_.Post([this] {
    for (const auto& [key, groups] : groups_) {
      for (const auto& group : groups) group->CloseIdle(0, base::MonotonicTime::Infinite());
    }
  });
}

void HttpEngine::Close(const ConnectionOptions& connection) {
  loop_.Post([this, connection] {
    for (const auto& [key, groups] : groups_) {
      for (const auto& group : groups) {
        if (group->connection_options() == connection) group->CloseAll();
      }
    }
  });
}

void HttpEngine::Shutdown() {
  loop_.Post([this] { shutting_down_ = true; });
}

void HttpEngine::Stop() {
  loop_.Post([this] { stopped_ = true; });
}

void HttpEngine::Run() {
  while (!stopped_ && !(shutting_down_ && !Busy())) loop_.RunOnce();
  // Transfers posted before Close are refused by Begin, later ones by the loop.
  shutting_down_ = true;
  loop_.Close();
  for (const auto& [key, groups] : groups_) {
    for (const auto& group : groups) group->GiveUp();
  }
  groups_.clear();
}

void HttpEngine::Begin(std::shared_ptr<Transfer> transfer) {
  if (shutting_down_) {
    Transfer::News news = {.end = ClosedError(false)};
    return transfer->Deliver(news);
  }
  GroupOf(transfer->endpoint(), transfer->request()).Start(transfer);
}

ConnectionGroup& HttpEngine::GroupOf(const Endpoint& endpoint, const HttpRequest& request) {
  const std::shared_ptr<const ConnectionOptions>& connection =
      request.connection == nullptr ? default_connection_ : request.connection;
  const bool long_running = request.long_running && !request.upgrade;
  std::vector<std::unique_ptr<ConnectionGroup>>& groups =
      groups_[{endpoint.host, endpoint.port, endpoint.tls, long_running, request.upgrade}];
  for (const auto& group : groups) {
    if (&group->connection_options() == connection.get()) return *group;
  }
  for (const auto& group : groups) {
    if (group->connection_options() == *connection) return *group;
  }
  groups.push_back(std::make_unique<ConnectionGroup>(shared_, endpoint, connection, share_.get(),
                                                     request.upgrade));
  if (!sweep_timer_.is_set()) SetSweepTimer();
  return *groups.back();
}

// Closes connections that were idle for too long, and removes groups that have become empty.
void HttpEngine::Sweep() {
  const base::MonotonicTime since = loop_.now() - options_.idle_connection_timeout;
  for (auto it = groups_.begin(); it != groups_.end();) {
    auto& groups = it->second;
    for (const auto& group : groups) {
      group->CloseIdle(options_.max_idle_connections_per_host, since);
    }
    groups.erase(std::remove_if(groups.begin(), groups.end(),
                                [](const auto& group) { return group->idle(); }),
                 groups.end());
    it = groups.empty() ? groups_.erase(it) : std::next(it);
  }
  if (!groups_.empty()) SetSweepTimer();
}

void HttpEngine::SetSweepTimer() {
  sweep_timer_.Set(loop_.now() + std::clamp(options_.idle_connection_timeout / 4,
                                            absl::Milliseconds(10), absl::Seconds(10)));
}

bool HttpEngine::Busy() const {
  for (const auto& [key, groups] : groups_) {
    for (const auto& group : groups) {
      if (group->busy()) return true;
    }
  }
  return false;
}

}  // namespace kube::httpclient::internal
