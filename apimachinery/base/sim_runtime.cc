#include "apimachinery/base/sim_runtime.h"

#include <algorithm>
#include <condition_variable>
#include <random>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/internal/real_thread.h"

namespace kube::base {

// A scheduler of real threads. Each simulated thread is a Fiber, and only the fiber that
// Core::running points to runs; all others block in AwaitTurn. A fiber that has to wait sets its
// state and calls SwitchFrom:
//
// * kRunnable: it could run, and waits for its turn.
// * kParked: it waits in Park for its token or its deadline, or in Join for another fiber's end.
// * kLocking: it waits for the mutex `wanted`; Unlock makes all such fibers runnable.
//
// HandOver picks the next fiber: a random one of those that are runnable. If no fiber is, virtual
// time jumps to the earliest deadline of a parked fiber; without a deadline the run ends as a
// deadlock. When all fibers but the daemons have ended, the daemons are woken to return; when those
// have ended too, the run ends with OK. The only daemon runs the timers.
//
// Determinism rests on this: every choice is drawn from `choices`, while the lock is held, over the
// live fibers in the order of their start; Random() draws from a generator of its own. A wake-up is
// never lost: Unpark leaves a token, which the next Park consumes.
//
// Fiber is one simulated thread.
struct SimRuntime::Fiber final : Waiter {
  enum class State { kRunnable, kRunning, kParked, kLocking, kFinished };

  Fiber(Core& owner, int number, std::string own_name, bool is_daemon)
      : core(owner), id(number), name(std::move(own_name)), daemon(is_daemon) {}
  void Unpark() override;

  Core& core;
  const int id;
  const std::string name;
  const bool daemon;  // the run may end without it

  // Guarded by the core's lock.
  State state = State::kRunnable;
  bool token = false;
  MonotonicTime deadline = MonotonicTime::Infinite();
  WaitSite site;
  MonotonicTime since;
  const std::mutex* wanted = nullptr;  // while its state is kLocking
  const Fiber* joined = nullptr;       // while it waits in Join
  std::vector<Fiber*> joiners;

  internal::RealWaiter turn;  // wakes the real thread to check whether it is its turn
};

namespace {

// The calling thread's fiber; null if the thread is not simulated.
constinit thread_local Waiter* current_fiber = nullptr;

}  // namespace

// The scheduler's state. `mutex` guards all fields, and the methods are called with it held.
// Besides the running fiber only Run's caller, and an Unpark or a Join from outside, lock it.
class SimRuntime::Core {
 public:
  explicit Core(SimOptions with)
      : options(with),
        choices(with.seed),
        randoms(with.seed ^ 0x9e3779b97f4a7c15u),
        timers([this](bool earlier) {
          if (earlier && timer_fiber != nullptr) timer_fiber->Unpark();
        }) {}

  Fiber& NewFiber(std::string name, bool daemon) {
    fibers.push_back(
        std::make_unique<Fiber>(*this, static_cast<int>(fibers.size()), std::move(name), daemon));
    Fiber& fiber = *fibers.back();
    live.push_back(&fiber);
    if (!daemon) ++living;
    Note(absl::StrCat("start ", Label(fiber)));
    return fiber;
  }

  // Fibers remain in `fibers` after their end, because their handles still look at the state.
  void Finish(Fiber& fiber) {
    fiber.state = Fiber::State::kFinished;
    live.erase(std::find(live.begin(), live.end(), &fiber));
    if (!fiber.daemon) --living;
  }

  // Lets the next fiber run; the caller has set the state of `self`. Blocks until it is `self`'s
  // turn.
  void SwitchFrom(Fiber& self, std::unique_lock<std::mutex>& lock) {
    self.since = now;
    HandOver(lock);
    AwaitTurn(self, lock);
    self.state = Fiber::State::kRunning;
    self.wanted = nullptr;
    self.joined = nullptr;
  }

  // Blocks until it is `self`'s turn; `lock` is then held.
  void AwaitTurn(Fiber& self, std::unique_lock<std::mutex>& lock) {
    if (!lock.owns_lock()) lock.lock();
    while (running != &self) {
      lock.unlock();
      self.turn.Park(MonotonicTime::Infinite());
      lock.lock();
    }
  }

  // Makes the next fiber run. Unlocks before waking it, since it would only wait for the lock.
  void HandOver(std::unique_lock<std::mutex>& lock) {
    running = nullptr;
    Fiber* next = ended ? nullptr : PickNext();
    if (next == nullptr) return;
    ++steps;
    ++steps_at_this_time;
    if (steps_at_this_time > options.max_steps_without_time) {
      End(Report("livelock: time has not advanced for ", steps_at_this_time, " steps"));
      return;
    }
    if (steps > options.max_steps) {
      End(Report("not finished after ", options.max_steps, " steps"));
      return;
    }
    Note(absl::StrCat("run ", Label(*next)));
    running = next;
    lock.unlock();
    next->turn.Unpark();
  }

  // Returns null if the run is over; `outcome` then has the result.
  Fiber* PickNext() {
    for (;;) {
      runnable.clear();
      MonotonicTime earliest = MonotonicTime::Infinite();
      for (Fiber* fiber : live) {
        if (fiber->state == Fiber::State::kRunnable) runnable.push_back(fiber);
        if (fiber->state == Fiber::State::kParked) earliest = std::min(earliest, fiber->deadline);
      }
      if (!runnable.empty()) return runnable[choices() % runnable.size()];
      if (living == 0 && !shutting_down) {
        shutting_down = true;
        for (Fiber* fiber : live) {
          if (fiber->state == Fiber::State::kParked) fiber->state = Fiber::State::kRunnable;
        }
        continue;
      }
      if (live.empty()) {
        End(absl::OkStatus());
        return nullptr;
      }
      if (earliest.is_infinite()) {
        End(Report("deadlock: all threads are blocked"));
        return nullptr;
      }
      now = std::max(now, earliest);
      steps_at_this_time = 0;
      for (Fiber* fiber : live) {
        if (fiber->state == Fiber::State::kParked && fiber->deadline <= now) {
          fiber->state = Fiber::State::kRunnable;
        }
      }
    }
  }

  void End(absl::Status status) {
    ended = true;
    outcome = std::move(status);
    over.notify_all();
  }

  template <typename... What>
  absl::Status Report(const What&... what) const {
    std::string text =
        absl::StrCat("simulate with seed ", options.seed, ": ", what..., " (virtual time ",
                     absl::FormatDuration(now.since_epoch()), ", step ", steps, ")");
    for (const Fiber* fiber : live) {
      const bool idle = fiber->state == Fiber::State::kParked && fiber->deadline.is_infinite();
      if (fiber->daemon && idle) continue;  // it only waits for timers, and none is set
      absl::StrAppend(&text, "\n  ", Label(*fiber), " ", Describe(*fiber));
    }
    return absl::AbortedError(text);
  }

  std::string Describe(const Fiber& fiber) const {
    const std::string wait = absl::StrCat(
        "waits for ", fiber.site.what, fiber.joined == nullptr ? "" : Label(*fiber.joined), " at ",
        fiber.site.where.ToString(), " since ", absl::FormatDuration(fiber.since.since_epoch()));
    switch (fiber.state) {
      case Fiber::State::kRunnable:
        return "is runnable";
      case Fiber::State::kRunning:
        return "runs";
      case Fiber::State::kParked:
        return fiber.deadline.is_infinite()
                   ? wait
                   : absl::StrCat(wait, " until ",
                                  absl::FormatDuration(fiber.deadline.since_epoch()));
      case Fiber::State::kLocking: {
        const auto holder = holders.find(fiber.wanted);
        return holder == holders.end() ? wait
                                       : absl::StrCat(wait, ", held by ", Label(*holder->second));
      }
      case Fiber::State::kFinished:
        break;
    }
    return "has finished";
  }

  static std::string Label(const Fiber& fiber) {
    return absl::StrCat("thread ", fiber.id, " \"", fiber.name, "\"");
  }

  void Note(absl::string_view what) {
    const std::string line =
        absl::StrCat(steps, " ", absl::ToInt64Nanoseconds(now.since_epoch()), " ", what, "\n");
    for (const char c : line) {
      fingerprint = (fingerprint ^ static_cast<unsigned char>(c)) * 0x100000001b3u;  // FNV-1a
    }
    if (options.keep_trace) trace += line;
  }

  bool Chance(double probability) {
    // Uses 53 bits, which give the same double on every machine.
    return static_cast<double>(choices() >> 11) * 0x1.0p-53 < probability;
  }

  const SimOptions options;
  std::mutex mutex;
  std::mt19937_64 choices;
  std::mt19937_64 randoms;
  std::vector<std::unique_ptr<Fiber>> fibers;  // all of them, also finished ones
  std::vector<Fiber*> live;                    // not finished, in the order of their start
  std::vector<Fiber*> runnable;                // scratch space of PickNext
  Fiber* running = nullptr;
  int living = 0;  // live fibers that are no daemons
  bool shutting_down = false;
  MonotonicTime now;
  int64_t steps = 0;
  int64_t steps_at_this_time = 0;
  absl::flat_hash_map<const std::mutex*, const Fiber*> holders;
  std::string trace;
  uint64_t fingerprint = 0xcbf29ce484222325u;
  bool ended = false;
  absl::Status outcome;
  std::condition_variable over;
  // Threads of a stuck run, which are neither joined nor destroyed.
  std::vector<std::unique_ptr<RunningThread>> abandoned;
  Fiber* timer_fiber = nullptr;
  internal::TimerQueue timers;
};

void SimRuntime::Fiber::Unpark() {
  std::lock_guard<std::mutex> lock(core.mutex);
  token = true;
  if (state == State::kParked) state = State::kRunnable;
}

// The starter's handle on a fiber.
class SimRuntime::Handle final : public RunningThread {
 public:
  Handle(std::shared_ptr<Core> core, Fiber& fiber, std::unique_ptr<RunningThread> thread)
      : core_(std::move(core)), fiber_(fiber), thread_(std::move(thread)) {}

  void Join(SourceLocation where) override {
    {
      std::unique_lock<std::mutex> lock(core_->mutex);
      if (current_fiber != nullptr) {
        Fiber& self = *core_->running;
        while (fiber_.state != Fiber::State::kFinished) {
          fiber_.joiners.push_back(&self);
          self.state = Fiber::State::kParked;
          self.deadline = MonotonicTime::Infinite();
          self.joined = &fiber_;
          self.site = {"the end of ", where};
          core_->SwitchFrom(self, lock);
        }
      }
      if (fiber_.state != Fiber::State::kFinished && core_->ended) {
        core_->abandoned.push_back(std::move(thread_));  // part of a stuck run: it never ends
        return;
      }
    }
    thread_->Join(where);
  }

 private:
  std::shared_ptr<Core> core_;
  Fiber& fiber_;
  std::unique_ptr<RunningThread> thread_;
};

SimRuntime::SimRuntime(SimOptions options) : core_(std::make_shared<Core>(options)) {}

SimRuntime::~SimRuntime() = default;

absl::Status SimRuntime::Run(absl::AnyInvocable<void()> main) {
  KUBE_CHECK(current_fiber == nullptr) << "run SimRuntime: called on a simulated thread";
  KUBE_CHECK(core_->fibers.empty()) << "run SimRuntime: Run was called before";
  auto main_thread = StartFiber("main", std::move(main), /*daemon=*/false);
  if (!main_thread.ok()) return main_thread.status();
  auto timer_thread = StartFiber(
      "timers", [this] { RunTimers(); }, /*daemon=*/true);
  KUBE_CHECK_OK(timer_thread.status());  // the main thread has started already
  {
    std::unique_lock<std::mutex> lock(core_->mutex);
    core_->HandOver(lock);
    if (!lock.owns_lock()) lock.lock();
    int64_t seen = core_->steps;
    // Bounded, because the condition variable's own arithmetic could overflow.
    const absl::Duration patience =
        std::min(core_->options.max_real_time_of_a_step, absl::Hours(24 * 365));
    while (!core_->over.wait_for(lock, absl::ToChronoNanoseconds(patience),
                                 [this] { return core_->ended; })) {
      // Such a thread cannot be stopped, and would run beside whatever follows.
      KUBE_CHECK(core_->steps != seen)
          << core_
                 ->Report("a thread has run for ", absl::FormatDuration(patience),
                          " of real time without waiting")
                 .message();
      seen = core_->steps;
    }
    if (!core_->outcome.ok()) {
      // The fibers of a stuck run wait for their turn until the process ends.
      static std::vector<std::shared_ptr<Core>>* const stuck =
          new std::vector<std::shared_ptr<Core>>;
      static std::mutex stuck_mutex;
      std::lock_guard<std::mutex> stuck_lock(stuck_mutex);
      stuck->push_back(core_);
    }
  }
  (*main_thread)->Join(SourceLocation::Current());
  (*timer_thread)->Join(SourceLocation::Current());
  std::lock_guard<std::mutex> lock(core_->mutex);
  return core_->outcome;
}

absl::StatusOr<std::unique_ptr<RunningThread>> SimRuntime::StartThread(
    std::string name, absl::AnyInvocable<void()> body) {
  auto started = StartFiber(std::move(name), std::move(body), /*daemon=*/false);
  if (started.ok() && current_fiber != nullptr) Yield();
  return started;
}

absl::StatusOr<std::unique_ptr<RunningThread>> SimRuntime::StartFiber(
    std::string name, absl::AnyInvocable<void()> body, bool daemon) {
  std::unique_lock<std::mutex> lock(core_->mutex);
  Fiber& fiber = core_->NewFiber(name, daemon);
  if (daemon) core_->timer_fiber = &fiber;
  lock.unlock();
  auto thread = internal::StartRealThread(
      *this, std::move(name), [this, core = core_, &fiber, body = std::move(body)]() mutable {
        std::unique_lock<std::mutex> turn(core->mutex);
        core->AwaitTurn(fiber, turn);
        fiber.state = Fiber::State::kRunning;
        turn.unlock();
        current_fiber = &fiber;
        internal::current_lock_hook = this;
        body();
        body = nullptr;
        internal::current_lock_hook = nullptr;
        current_fiber = nullptr;
        turn.lock();
        core->Note(absl::StrCat("end ", Core::Label(fiber)));
        core->Finish(fiber);
        for (Fiber* joiner : fiber.joiners) {
          if (joiner->state == Fiber::State::kParked) joiner->state = Fiber::State::kRunnable;
        }
        core->HandOver(turn);
      });
  if (!thread.ok()) {
    lock.lock();
    core_->Finish(fiber);
    return thread.status();
  }
  return std::make_unique<Handle>(core_, fiber, *std::move(thread));
}

void SimRuntime::Yield(SourceLocation where) {
  KUBE_CHECK(current_fiber != nullptr) << "yield: called on a thread that is not simulated";
  std::unique_lock<std::mutex> lock(core_->mutex);
  Fiber& self = *core_->running;
  if (!core_->Chance(core_->options.preempt_at_lock)) return;
  self.state = Fiber::State::kRunnable;
  self.site = {"its turn", where};
  core_->SwitchFrom(self, lock);
}

void SimRuntime::Park(MonotonicTime deadline, const WaitSite& site) {
  KUBE_CHECK(current_fiber != nullptr) << "park: called on a thread that is not simulated";
  std::unique_lock<std::mutex> lock(core_->mutex);
  Fiber& self = *core_->running;
  if (std::exchange(self.token, false)) return;
  // Even if the deadline has passed, another fiber may run here: loops must not starve the others.
  self.state = deadline <= core_->now ? Fiber::State::kRunnable : Fiber::State::kParked;
  self.deadline = deadline;
  self.site = site;
  core_->Note(absl::StrCat("wait ", self.id, " ", site.what, " ", site.where.ToString()));
  core_->SwitchFrom(self, lock);
  self.token = false;
}

void SimRuntime::Lock(std::mutex& mutex, const WaitSite& site) {
  std::unique_lock<std::mutex> lock(core_->mutex);
  Fiber& self = *core_->running;
  if (core_->Chance(core_->options.preempt_at_lock)) {
    self.state = Fiber::State::kRunnable;
    self.site = site;
    core_->SwitchFrom(self, lock);
  }
  while (!mutex.try_lock()) {
    if (!core_->holders.contains(&mutex)) {
      // A thread outside the simulation holds the mutex; it does not need a turn to release it.
      lock.unlock();
      mutex.lock();
      lock.lock();
      break;
    }
    self.state = Fiber::State::kLocking;
    self.wanted = &mutex;
    self.site = site;
    core_->Note(absl::StrCat("wait ", self.id, " ", site.what, " ", site.where.ToString()));
    core_->SwitchFrom(self, lock);
  }
  core_->holders[&mutex] = &self;
}

bool SimRuntime::TryLock(std::mutex& mutex) {
  std::lock_guard<std::mutex> lock(core_->mutex);
  if (!mutex.try_lock()) return false;
  core_->holders[&mutex] = core_->running;
  return true;
}

void SimRuntime::Unlock(std::mutex& mutex) {
  std::lock_guard<std::mutex> lock(core_->mutex);
  core_->holders.erase(&mutex);
  mutex.unlock();
  for (Fiber* fiber : core_->live) {
    if (fiber->state == Fiber::State::kLocking && fiber->wanted == &mutex) {
      fiber->state = Fiber::State::kRunnable;
    }
  }
}

void SimRuntime::RunTimers() {
  for (;;) {
    {
      std::lock_guard<std::mutex> lock(core_->mutex);
      if (core_->shutting_down) return;
    }
    core_->timers.RunDue([this] { return Now(); });
    Park(core_->timers.Next(), {"timers", SourceLocation::Current()});
  }
}

uint64_t SimRuntime::seed() const { return core_->options.seed; }

void SimRuntime::Trace(const std::string& text) {
  if (current_fiber == nullptr) return;
  std::lock_guard<std::mutex> lock(core_->mutex);
  core_->Note(absl::StrCat("note ", core_->running->id, " ", text));
}

MonotonicTime SimRuntime::Now() {
  std::lock_guard<std::mutex> lock(core_->mutex);
  return core_->now;
}

absl::Time SimRuntime::WallNow() { return core_->options.wall_start + Now().since_epoch(); }

uint64_t SimRuntime::Random() {
  std::lock_guard<std::mutex> lock(core_->mutex);
  return core_->randoms();
}

Waiter& SimRuntime::ThisThread() {
  KUBE_CHECK(current_fiber != nullptr)
      << "wait in SimRuntime: called on a thread that is not simulated";
  return *current_fiber;
}

internal::TimerQueue& SimRuntime::timers() { return core_->timers; }

std::string SimRuntime::trace() const {
  std::lock_guard<std::mutex> lock(core_->mutex);
  return core_->trace;
}

uint64_t SimRuntime::fingerprint() const {
  std::lock_guard<std::mutex> lock(core_->mutex);
  return core_->fingerprint;
}

int64_t SimRuntime::steps() const {
  std::lock_guard<std::mutex> lock(core_->mutex);
  return core_->steps;
}

}  // namespace kube::base
