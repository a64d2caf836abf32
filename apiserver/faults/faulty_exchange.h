#ifndef APISERVER_FAULTS_FAULTY_EXCHANGE_H_
#define APISERVER_FAULTS_FAULTY_EXCHANGE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/timer.h"
#include "apiserver/fault_rule.h"
#include "apiserver/faults/read_faults.h"
#include "apiserver/request_info.h"
#include "net/http/headers.h"
#include "net/httpserver/exchange.h"
#include "net/io/duplex_stream.h"

namespace kube::apiserver::internal {

class FaultLayer;

// The properties of a request that rules look at.
struct FaultSubject {
  RequestInfo info = {};
  std::string user = {};  // empty if unknown
  std::string user_agent = {};
};

// The faults that were decided when the request arrived.
struct FaultPlan {
  absl::Duration delay = absl::ZeroDuration();
  absl::Duration answer_delay = absl::ZeroDuration();
  // Replace the answer: before the request is carried out, or after it with `after_commit`.
  std::optional<fault::Error> error = {};
  std::optional<fault::Drop> drop = {};
  // After how many bytes a connection that has switched protocols is reset.
  std::optional<int64_t> break_after_bytes = {};
  // The faults' names for the log, such as "delay,drop".
  std::string names = {};

  bool fails_before_commit() const {
    return (error && !error->after_commit) || (drop && !drop->after_commit);
  }
};

// An exchange whose answer can be held back, changed or aborted. It forwards all calls to another
// exchange, during a fault later or not at all, and keeps their order.
//
// Thread-safe.
class FaultyExchange final : public httpserver::Exchange,
                             public ReadFaults,
                             public std::enable_shared_from_this<FaultyExchange> {
 public:
  // `id` identifies the exchange in its layer.
  FaultyExchange(std::weak_ptr<FaultLayer> layer, int64_t id,
                 std::shared_ptr<httpserver::Exchange> inner);
  ~FaultyExchange() override;

  // ---- Exchange

  const httpserver::Request& request() const override { return inner_->request(); }
  const Context& context() const override { return inner_->context(); }
  bool can_answer() const override { return inner_->can_answer(); }
  void Inform(int status, http::Headers headers) override;
  void Respond(httpserver::Response response) override;
  void Start(int status, http::Headers headers) override;
  bool Write(std::string piece) override;
  void Finish(http::Headers trailers) override;
  // The connection keeps the exchange, so that rules and faults find it.
  absl::StatusOr<std::unique_ptr<io::DuplexStream>> SwitchProtocols(http::Headers headers) override;
  void Abort() override;
  size_t buffered_bytes() const override;
  bool PauseUntilDrained(size_t limit, std::function<void()> drained) override;

  // ---- ReadFaults

  int64_t Lag() override;
  std::optional<fault::Bookmarks> Bookmarks() override;
  EventFate BeforeEvent(absl::string_view namespace_name, absl::string_view name) override;

  // ---- for the layer

  int64_t id() const { return id_; }
  // Call it before the exchange is served.
  void set_plan(FaultPlan plan) { plan_ = std::move(plan); }
  const FaultPlan& plan() const { return plan_; }
  // Describes the request. Computed at the first call.
  const FaultSubject& Subject();

  // Hold queues all calls until Release has been called as often. Meanwhile writers are told to
  // pause, and what they write all the same is queued. A connection that has switched protocols
  // waits.
  void Hold();
  void Release();
  // Aborts the connection, also while the exchange is held.
  void Break();
  // Calls back after the delay, and keeps the exchange alive until then. With an infinite delay it
  // is kept until the client goes away, and `callback` is not called.
  void After(absl::Duration delay, std::function<void()> callback);
  // Keeps the exchange alive until the client goes away, the queue is flushed, or it is aborted.
  void KeepAlive();
  // Aborts the exchange if it is kept alive only by itself.
  void Forget();
  // Returns whether it was aborted, or the client has gone away.
  bool over() const;
  // Returns whether it is a watch whose response has begun.
  bool started() const;

  // ---- for the connection that SwitchProtocols has returned

  // Blocks until the protocols have been switched and nothing holds the exchange, or the client has
  // gone, and returns the connection. Returns UNAVAILABLE if the exchange was aborted, and
  // ctx.status() if `ctx` ends first.
  absl::StatusOr<io::DuplexStream*> AwaitConnection(const Context& ctx);
  // Calls the function with the connection at once or, while the exchange is held, later.
  void ChangeConnection(absl::AnyInvocable<void(io::DuplexStream&)> change);
  // Returns null if the protocols have not been switched yet.
  io::DuplexStream* connection() const;

 private:
  using Operation = absl::AnyInvocable<void(httpserver::Exchange&)>;
  // Runs the operation, or queues it.
  void Do(Operation operation);
  // Runs the queued operations.
  void Flush();
  // Returns whether Do would queue or drop an operation.
  bool Holds() const;
  void SetConnection(absl::StatusOr<std::unique_ptr<io::DuplexStream>> connection);
  // Holds the answer back if the plan delays it. Call it before the first part of the answer.
  void DelayAnswer();

  const std::weak_ptr<FaultLayer> layer_;
  const int64_t id_;
  const std::shared_ptr<httpserver::Exchange> inner_;
  FaultPlan plan_;

  mutable base::Mutex mutex_;
  base::CondVar changed_;  // what AwaitConnection waits for
  // Never modified once it is set.
  std::unique_ptr<const FaultSubject> subject_ ABSL_GUARDED_BY(mutex_);
  int holds_ ABSL_GUARDED_BY(mutex_) = 0;
  bool flushing_ ABSL_GUARDED_BY(mutex_) = false;
  std::list<Operation> held_ ABSL_GUARDED_BY(mutex_);
  std::function<void()> drained_ ABSL_GUARDED_BY(mutex_);
  // What Finish does for a watch.
  enum class End { kFinish, kSilence, kBreak };
  End end_ ABSL_GUARDED_BY(mutex_) = End::kFinish;
  bool silent_ ABSL_GUARDED_BY(mutex_) = false;
  bool broken_ ABSL_GUARDED_BY(mutex_) = false;
  bool started_ ABSL_GUARDED_BY(mutex_) = false;
  bool waits_ ABSL_GUARDED_BY(mutex_) = false;  // whether After waits
  // Set by KeepAlive.
  std::shared_ptr<FaultyExchange> self_ ABSL_GUARDED_BY(mutex_);
  bool watches_client_ ABSL_GUARDED_BY(mutex_) = false;
  bool switching_ ABSL_GUARDED_BY(mutex_) = false;  // SwitchProtocols was called
  // What `inner_` has returned; never modified once it is set.
  std::unique_ptr<io::DuplexStream> connection_ ABSL_GUARDED_BY(mutex_);
  absl::Status switch_error_ ABSL_GUARDED_BY(mutex_);

  // Two timers, because a callback cannot start its own timer, and that of `timer_` serves the
  // request.
  base::Timer timer_;
  base::Timer answer_timer_;
  DoneCallback gone_;
  DoneCallback connection_gone_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_FAULTS_FAULTY_EXCHANGE_H_
