// A thread cannot join itself. So a session that has ended moves itself to `ended`, as the last
// thing that it does, and the next call of Start or EndAll joins it.
//
// Sessions that were given up stay in `running`. Their state must never be destroyed, because that
// would join them; it is kept by a list that lives as long as the process.

#include "apiserver/streaming/sessions.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/thread.h"

namespace kube::apiserver::internal {
namespace {

struct Session {
  std::string name;
  std::shared_ptr<CancelScope> scope;
  base::Thread thread;
};

}  // namespace

struct Sessions::State {
  base::Mutex mutex;
  base::CondVar changed;
  int64_t next_id ABSL_GUARDED_BY(mutex) = 1;
  std::map<int64_t, std::unique_ptr<Session>> running ABSL_GUARDED_BY(mutex);
  std::vector<std::unique_ptr<Session>> ended ABSL_GUARDED_BY(mutex);

  void End(int64_t id) {
    base::MutexLock lock(mutex);
    const auto found = running.find(id);
    ended.push_back(std::move(found->second));
    running.erase(found);
    changed.NotifyAll();
  }

  // Joins the sessions that have ended. Call it without the lock.
  void Join() {
    std::vector<std::unique_ptr<Session>> joined;
    base::MutexLock lock(mutex);
    // Destroyed after the lock is released, because the threads end with it.
    joined.swap(ended);
  }
};

namespace {

// Keeps what belongs to sessions that were given up.
class GivenUp {
 public:
  void Keep(std::shared_ptr<void> state) {
    base::MutexLock lock(mutex_);
    kept_.push_back(std::move(state));
  }

 private:
  base::Mutex mutex_;
  std::vector<std::shared_ptr<void>> kept_ ABSL_GUARDED_BY(mutex_);
};

GivenUp& AllGivenUp() {
  static base::NoDestructor<GivenUp> given_up;
  return *given_up;
}

}  // namespace

Sessions::Sessions(size_t max_sessions, absl::Duration grace, std::string function)
    : max_sessions_(max_sessions),
      grace_(grace),
      function_(std::move(function)),
      state_(std::make_shared<State>()) {}

Sessions::~Sessions() {
  EndAll();
  if (size() > 0) AllGivenUp().Keep(state_);
}

absl::Status Sessions::Start(const Context& parent, std::string name,
                             absl::AnyInvocable<void(const Context&)> body) {
  state_->Join();
  auto session = std::make_unique<Session>();
  session->name = name;
  session->scope = std::make_shared<CancelScope>(WithCancel(parent));
  base::MutexLock lock(state_->mutex);
  if (state_->running.size() >= max_sessions_) {
    return absl::ResourceExhaustedError(
        absl::StrCat("start ", name, ": ", max_sessions_, " sessions are open"));
  }
  const int64_t id = state_->next_id++;
  Session& started = *session;
  state_->running.emplace(id, std::move(session));
  // With the lock held: the session could end, and be joined, before Start has returned.
  absl::Status status = started.thread.Start(
      started.scope->context(), std::move(name),
      [id, state = state_.get(), body = std::move(body)](const Context& ctx) mutable {
        body(ctx);
        // What it holds is released before anybody can be told that the session has ended.
        body = nullptr;
        state->End(id);
      });
  if (!status.ok()) state_->running.erase(id);
  return status;
}

size_t Sessions::size() const {
  base::MutexLock lock(state_->mutex);
  return state_->running.size();
}

void Sessions::KeepIfGivenUp(std::shared_ptr<void> used) {
  if (size() > 0) AllGivenUp().Keep(std::move(used));
}

bool Sessions::full() const { return size() >= max_sessions_; }

void Sessions::EndAll() {
  State& state = *state_;
  std::vector<std::shared_ptr<CancelScope>> scopes;
  int64_t next_id = 0;
  {
    base::MutexLock lock(state.mutex);
    next_id = state.next_id;
    for (const auto& [id, session] : state.running) scopes.push_back(session->scope);
  }
  for (const auto& scope : scopes) scope->Cancel(absl::CancelledError("the server ends"));
  {
    base::MutexLock lock(state.mutex);
    // Sessions that have started meanwhile go on: the server may have restarted.
    const bool all = state.changed.WaitUntil(Context(), state.mutex, base::Now() + grace_,
                                             [&state, next_id]() ABSL_NO_THREAD_SAFETY_ANALYSIS {
                                               return state.running.empty() ||
                                                      state.running.begin()->first >= next_id;
                                             });
    for (const auto& [id, session] : state.running) {
      if (all || id >= next_id) break;
      log::Error(absl::OkStatus(),
                 absl::StrCat(function_, " does not end although its context is done"),
                 {{"session", session->name}});
    }
  }
  state.Join();
}

}  // namespace kube::apiserver::internal
