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

namespace kube::apiserver::internal {

class FaultLayer;

// Whom and what rules look at.
struct FaultSubject {
  RequestInfo info = {};
  std::string user = {};  // "": unknown
  std::string user_agent = {};
};

// What the rules have decided about a request when it came.
struct FaultPlan {
  absl::Duration delay = absl::ZeroDuration();
  absl::Duration answer_delay = absl::ZeroDuration();
  // Instead of the answer. Their `after_commit` says when.
  std::optional<fault::Error> error = {};
  std::optional<fault::Drop> drop = {};
  // Their names, for the log: "delay,drop".
  std::string names = {};

  bool fails_before_commit() const {
    return (error && !error->after_commit) || (drop && !drop->after_commit);
  }
};

// An exchange whose answer can be held back, changed and broken: it hands everything on to another
// one, and in a fault not, or later. Order is kept.
//
// Thread-safe.
class FaultyExchange final : public httpserver::Exchange,
                             public ReadFaults,
                             public std::enable_shared_from_this<FaultyExchange> {
 public:
  // `id` is the layer's for it.
  FaultyExchange(std::weak_ptr<FaultLayer> layer, int64_t id,
                 std::shared_ptr<httpserver::Exchange> inner);
  ~FaultyExchange() override;

  // ---- as Exchange

  const httpserver::Request& request() const override { return inner_->request(); }
  const Context& context() const override { return inner_->context(); }
  void Inform(int status, http::Headers headers) override;
  void Respond(httpserver::Response response) override;
  void Start(int status, http::Headers headers) override;
  bool Write(std::string piece) override;
  void Finish(http::Headers trailers) override;
  void Abort() override;
  size_t buffered_bytes() const override;
  bool PauseUntilDrained(size_t limit, std::function<void()> drained) override;

  // ---- as ReadFaults

  int64_t Lag() override;
  std::optional<fault::Bookmarks> Bookmarks() override;
  EventFate BeforeEvent(absl::string_view namespace_name, absl::string_view name) override;

  // ---- for the layer

  int64_t id() const { return id_; }
  // Set before it is served.
  void set_plan(FaultPlan plan) { plan_ = std::move(plan); }
  const FaultPlan& plan() const { return plan_; }
  // Made when it is first asked for.
  const FaultSubject& Subject();

  // Sends nothing on until Release; each of the latter takes back one of the former. Who writes
  // meanwhile is told to pause, and what he writes all the same waits.
  void Hold();
  void Release();
  // Breaks the connection off, also while it is held.
  void Break();
  // Calls back after a while, and lives until then; infinite: until the client goes.
  void After(absl::Duration delay, std::function<void()> callback);
  // Lives until the client goes, the answer is flushed, or it is broken.
  void KeepAlive();
  // Breaks it off if nobody has it but itself.
  void Forget();
  // Whether it was broken, or its client has gone.
  bool over() const;
  // Whether it is a watch that has begun.
  bool started() const;

 private:
  using Operation = absl::AnyInvocable<void(httpserver::Exchange&)>;
  // Does it now, or queues it.
  void Do(Operation operation);
  // Does what is queued.
  void Flush();
  // Whether Do would queue or drop.
  bool Holds() const;
  // Before the first piece of an answer: holds it back if it is to come late.
  void DelayAnswer();

  const std::weak_ptr<FaultLayer> layer_;
  const int64_t id_;
  const std::shared_ptr<httpserver::Exchange> inner_;
  FaultPlan plan_;

  mutable base::Mutex mutex_;
  // Never changed once it is set.
  std::unique_ptr<const FaultSubject> subject_ ABSL_GUARDED_BY(mutex_);
  int holds_ ABSL_GUARDED_BY(mutex_) = 0;
  bool flushing_ ABSL_GUARDED_BY(mutex_) = false;
  std::list<Operation> held_ ABSL_GUARDED_BY(mutex_);
  std::function<void()> drained_ ABSL_GUARDED_BY(mutex_);
  // What becomes of a watch's Finish.
  enum class End { kFinish, kSilence, kBreak };
  End end_ ABSL_GUARDED_BY(mutex_) = End::kFinish;
  bool silent_ ABSL_GUARDED_BY(mutex_) = false;
  bool broken_ ABSL_GUARDED_BY(mutex_) = false;
  bool started_ ABSL_GUARDED_BY(mutex_) = false;
  bool waits_ ABSL_GUARDED_BY(mutex_) = false;  // for After
  // Set while nobody else need have it.
  std::shared_ptr<FaultyExchange> self_ ABSL_GUARDED_BY(mutex_);
  bool watches_client_ ABSL_GUARDED_BY(mutex_) = false;

  // Two: a callback cannot start its own timer, and the first one's serves the request.
  base::Timer timer_;
  base::Timer answer_timer_;
  DoneCallback gone_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_FAULTS_FAULTY_EXCHANGE_H_
