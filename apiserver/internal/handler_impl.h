#ifndef APISERVER_INTERNAL_HANDLER_IMPL_H_
#define APISERVER_INTERNAL_HANDLER_IMPL_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/timer.h"
#include "apiserver/auth/access_control.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/call/answer.h"
#include "apiserver/call/core.h"
#include "apiserver/call/request_admission.h"
#include "apiserver/call/write_record.h"
#include "apiserver/containers/container_table.h"
#include "apiserver/containers/log_session.h"
#include "apiserver/discovery/server_metrics.h"
#include "apiserver/faults/fault_layer.h"
#include "apiserver/faults/faulty_exchange.h"
#include "apiserver/handler.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/server_address.h"
#include "apiserver/streaming/sessions.h"
#include "apiserver/tokens/account_tokens.h"
#include "apiserver/user.h"
#include "apiserver/watch/watch_session.h"
#include "apiserver/webhook.h"
#include "apiserver/webhooks/conversion_webhook.h"
#include "apiserver/webhooks/webhook_admission.h"
#include "apiserver/webhooks/webhook_caller.h"
#include "net/httpserver/exchange.h"

// What an ApiHandler is made of. Its methods stand in files by their theme: handler_core.cc makes
// the cluster and its controllers, handler_serving.cc answers requests, handler_streams.cc has what
// stays open: watches, logs that are followed, sessions.
namespace kube::apiserver {
namespace internal {

// How long a request that webhooks are asked about may take (kube-apiserver:
// `requestTimeoutUpperBound`).
inline constexpr absl::Duration kRequestTimeout = absl::Seconds(34);

// The server's address. Thread-safe.
class KnownAddress {
 public:
  ServerAddress Get() const {
    base::MutexLock lock(mutex_);
    return address_;
  }
  void Set(ServerAddress address) {
    base::MutexLock lock(mutex_);
    address_ = std::move(address);
  }

 private:
  mutable base::Mutex mutex_;
  ServerAddress address_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace internal

// The state of a handler. Timers and callbacks that may run after the handler is destroyed hold it
// weakly.
struct ApiHandler::Impl : apiserver::internal::FaultHost, std::enable_shared_from_this<Impl> {
  explicit Impl(HandlerOptions handler_options)
      : options(std::move(handler_options)),
        open_sessions(options.max_sessions),
        webhook_requests(options.max_webhook_requests, absl::Seconds(30), "an admission webhook"),
        access(apiserver::internal::AccessControl::Parts{.anonymous = options.anonymous,
                                                         .tokens = options.tokens,
                                                         .deny = options.deny,
                                                         .account_tokens = account_tokens}),
        core(MakeCore()) {}

  // A read that waits until its revision is reached.
  struct Waiting {
    std::shared_ptr<void> reached;
    base::Timer timer;
  };

  // What EndAll has removed. Must be destroyed without the lock, because destructors wait for
  // callbacks.
  struct Ended {
    std::map<int64_t, std::shared_ptr<apiserver::internal::WatchSession>> watches;
    std::map<int64_t, std::shared_ptr<apiserver::internal::LogSession>> followed_logs;
    std::map<int64_t, std::shared_ptr<Waiting>> waiting;
  };

  // A request that its user may send.
  struct Incoming {
    std::shared_ptr<apiserver::internal::FaultyExchange> exchange;
    RequestInfo info;
    User user;
    // Why the user may send it.
    apiserver::internal::Decision decision;
    std::shared_ptr<apiserver::internal::Core> core;
    bool has_waited;
    // Whether it has a thread of its own.
    bool may_block;
    base::MonotonicTime begin;
  };

  // ---- FaultHost
  apiserver::internal::FaultSubject Describe(const httpserver::Request& request) override;
  httpserver::Response ErrorAnswer(const httpserver::Request& request,
                                   const absl::Status& error) override;
  void Serve(std::shared_ptr<apiserver::internal::FaultyExchange> exchange) override {
    Serve(std::move(exchange), /*has_waited=*/false);
  }
  void LogUnserved(apiserver::internal::FaultyExchange& exchange, absl::string_view faults,
                   int code) override;
  void WakeWatches() override;

  // Makes a core with a new cluster.
  std::shared_ptr<apiserver::internal::Core> MakeCore();
  void SetUpControllers(apiserver::internal::Core& made);
  std::shared_ptr<apiserver::internal::Core> Core() const;
  // Removes all watches, followed logs and waiting reads, and returns them.
  Ended EndAll();
  void Serve(std::shared_ptr<apiserver::internal::FaultyExchange> exchange, bool has_waited);
  // Serves a request that webhooks or policies could be asked about, also by what it leads to, or
  // whose objects webhooks convert, on a thread of its own: they take their time, and may send
  // requests to this server, which the calling thread has to serve. `plugins` is empty if they are
  // not asked about the request itself.
  void FinishOnThread(Incoming incoming, apiserver::internal::AdmissionPlugins plugins);
  // Serves a request. `admission` is null if neither webhooks nor policies are asked.
  void Finish(Incoming incoming, apiserver::internal::WebhookAdmission* admission);
  apiserver::internal::Requester RequesterOf(const apiserver::internal::Core& the_core,
                                             const httpserver::Request& request,
                                             const RequestInfo& info) const {
    return access.RequesterOf(the_core.storage, the_core.policies.get(), request, info);
  }
  // `decision` is null if none was made.
  void Log(const httpserver::Request& request, const RequestInfo& info, absl::string_view user,
           const apiserver::internal::Decision* decision, absl::string_view faults, int code,
           std::vector<CalledWebhook> webhooks = {}, apiserver::internal::WriteRecord record = {});
  void StartWatch(const std::shared_ptr<apiserver::internal::Core>& the_core,
                  std::shared_ptr<apiserver::internal::FaultyExchange> exchange,
                  std::unique_ptr<apiserver::internal::WatchStream> watch);
  // Returns what starts the threads of watches whose objects a webhook converts.
  std::function<absl::Status(std::function<void()>)> ThreadStarter();
  void FollowLog(std::shared_ptr<apiserver::internal::Core> the_core,
                 std::shared_ptr<apiserver::internal::FaultyExchange> exchange,
                 std::unique_ptr<apiserver::internal::FollowedLog> followed);
  void StartSession(std::shared_ptr<apiserver::internal::FaultyExchange> exchange,
                    const RequestInfo& info, apiserver::internal::Upgrade upgrade);
  void Wait(apiserver::internal::Core& the_core,
            std::shared_ptr<apiserver::internal::FaultyExchange> exchange, int64_t revision);
  void Resume(const std::shared_ptr<apiserver::internal::FaultyExchange>& exchange, int64_t id);
  // Ends the watches of resources that are no longer served, or that have changed.
  void EndStaleWatches(const Resources& resources);

  const HandlerOptions options;
  // Shared with the storages, which may outlive this.
  const std::shared_ptr<apiserver::internal::KnownAddress> address =
      std::make_shared<apiserver::internal::KnownAddress>();
  // Shared with all cores.
  const std::shared_ptr<apiserver::internal::ContainerTable> containers =
      std::make_shared<apiserver::internal::ContainerTable>();
  const std::shared_ptr<apiserver::internal::AccountTokens> account_tokens =
      std::make_shared<apiserver::internal::AccountTokens>();
  const std::shared_ptr<apiserver::internal::WebhookCaller> webhook_caller =
      std::make_shared<apiserver::internal::WebhookCaller>();
  const std::shared_ptr<apiserver::internal::WebhookScope> webhook_scope =
      std::make_shared<apiserver::internal::WebhookScope>();
  apiserver::internal::ServerMetrics metrics;
  apiserver::internal::Sessions open_sessions;
  // The threads of FinishOnThread, and of watches whose objects a webhook converts.
  apiserver::internal::Sessions webhook_requests;

  apiserver::internal::AccessControl access;

  mutable base::Mutex mutex;
  // Replaced by Restart. Code that works on a core holds a reference to it.
  std::shared_ptr<apiserver::internal::Core> core ABSL_GUARDED_BY(mutex);
  std::deque<LoggedRequest> requests ABSL_GUARDED_BY(mutex);
  int64_t next_id ABSL_GUARDED_BY(mutex) = 1;
  std::map<int64_t, std::shared_ptr<apiserver::internal::WatchSession>> watches
      ABSL_GUARDED_BY(mutex);
  std::map<int64_t, std::shared_ptr<apiserver::internal::LogSession>> followed_logs
      ABSL_GUARDED_BY(mutex);
  std::map<int64_t, std::shared_ptr<Waiting>> waiting ABSL_GUARDED_BY(mutex);
};

}  // namespace kube::apiserver

#endif  // APISERVER_INTERNAL_HANDLER_IMPL_H_
