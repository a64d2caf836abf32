#ifndef CONTROLLER_EVENTS_TESTING_FAKE_EVENT_SINK_H_
#define CONTROLLER_EVENTS_TESTING_FAKE_EVENT_SINK_H_

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/types/message_type.h"

namespace kube::events {

// A call that a recorder has made.
template <typename EventT>
struct SinkCall {
  std::string verb = {};  // "create" or "patch"
  EventT event = {};
  std::string patch = {};
};

// A sink for tests: remembers calls and answers each with the event, or with the next of the given
// errors. It stores and patches nothing. Thread-safe.
//
//   auto sink = std::make_shared<FakeEventSink<record::EventSink, corev1::Event>>();
//   sink->AnswerNext({absl::UnavailableError("refused"), absl::OkStatus()});
template <typename SinkT, ApiStruct EventT>
class FakeEventSink final : public SinkT {
 public:
  using Call = SinkCall<EventT>;

  // Sets the results of the next calls, one each; later calls succeed.
  void AnswerNext(const std::vector<absl::Status>& answers) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    answers_.insert(answers_.end(), answers.begin(), answers.end());
  }

  // Returns all calls so far.
  std::vector<Call> Calls() const ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    return calls_;
  }

  // Blocks until there were `n` calls in total, or returns ctx.status().
  absl::Status WaitForCalls(const Context& ctx, size_t n) const ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    return called_.Wait(ctx, mutex_, [this, n]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return calls_.size() >= n;
    });
  }

  absl::StatusOr<EventT> Create(const Context&, const EventT& event) override {
    return Answer({.verb = "create", .event = event});
  }
  absl::StatusOr<EventT> Patch(const Context&, const EventT& event,
                               absl::string_view data) override {
    return Answer({.verb = "patch", .event = event, .patch = std::string(data)});
  }

 private:
  absl::StatusOr<EventT> Answer(Call call) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    calls_.push_back(call);
    called_.NotifyAll();
    absl::Status status;
    if (!answers_.empty()) {
      status = std::move(answers_.front());
      answers_.pop_front();
    }
    if (!status.ok()) return status;
    return std::move(call.event);
  }

  mutable base::Mutex mutex_;
  mutable base::CondVar called_;
  std::deque<absl::Status> answers_ ABSL_GUARDED_BY(mutex_);
  std::vector<Call> calls_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::events

#endif  // CONTROLLER_EVENTS_TESTING_FAKE_EVENT_SINK_H_
