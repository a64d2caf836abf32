#ifndef CONTROLLER_MANAGER_INTERNAL_RUNNABLE_GROUP_H_
#define CONTROLLER_MANAGER_INTERNAL_RUNNABLE_GROUP_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "controller/manager/manager_status.h"

namespace kube::controller::internal {

// A function that a group runs on a thread of its own.
struct GroupMember {
  std::string name = {};
  // `take` is done when it should begin nothing new, `work` when it should end at once. `take` is a
  // child of `work`. Never null.
  std::function<absl::Status(const Context& take, const Context& work)> run = nullptr;
  // Whether it may return OK before `take` is done.
  bool may_end = false;
  // Returns what it does at the moment, such as the key of a reconcile; empty if that is not known.
  // Called on any thread, without locks. May be null.
  std::function<std::string()> where = nullptr;
};

// Functions that start together and end together: one phase of a manager.
//
// A member that fails before it was asked to end, or that returns early and may not, is reported
// once to `on_failure`, on its own thread, before it counts as ended. What members return later is
// logged. A group that has not been started does not start its members when it is stopped.
//
// A member that has ended without a failure is forgotten: its function is destroyed, its name is
// free, status() no longer has it, and its thread is joined by the next member that ends, or by the
// next call. One that has failed stays, for status().
//
// Thread-safe, except for the destructor.
class RunnableGroup {
 public:
  using OnFailure = std::function<void(const absl::Status& error)>;

  RunnableGroup(std::string name, OnFailure on_failure);
  // Calls Shutdown.
  ~RunnableGroup();
  RunnableGroup(const RunnableGroup&) = delete;
  RunnableGroup& operator=(const RunnableGroup&) = delete;

  // Adds a member, and starts it if the group runs. Returns ALREADY_EXISTS for a name that is in
  // use, FAILED_PRECONDITION once the group is being stopped, or RESOURCE_EXHAUSTED if the system
  // cannot create a thread.
  absl::Status Add(GroupMember member) ABSL_LOCKS_EXCLUDED(mutex_);

  // Cancels the member, blocks until it has ended, and forgets it. Has no effect if no member has
  // this name. Must not be called by the member itself.
  void Remove(absl::string_view name) ABSL_LOCKS_EXCLUDED(mutex_);

  // Starts all members, whose contexts are below `parent`. Returns RESOURCE_EXHAUSTED if the system
  // cannot create a thread, or FAILED_PRECONDITION if the group is being stopped.
  absl::Status Start(const Context& parent) ABSL_LOCKS_EXCLUDED(mutex_);

  // Ends the contexts `take`. Does not block.
  void StopTaking() ABSL_LOCKS_EXCLUDED(mutex_);
  // Ends both contexts. Does not block.
  void Cancel() ABSL_LOCKS_EXCLUDED(mutex_);

  // Blocks until all members have ended, or were never started. When `ctx` is done before, returns
  // DEADLINE_EXCEEDED with the names of the others and where they are.
  absl::Status Wait(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns whether no member runs.
  bool ended() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Cancels all members and blocks until they have ended.
  void Shutdown() ABSL_LOCKS_EXCLUDED(mutex_);

  std::vector<RunnableStatus> status() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  enum class State { kIdle, kRunning, kStopping };
  struct Entry;

  absl::Status StartEntry(Entry& entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void RunEntry(Entry& entry) ABSL_LOCKS_EXCLUDED(mutex_);
  // Joins the threads of the members that were forgotten. They have ended, so it blocks for a
  // moment only.
  void JoinEnded() ABSL_LOCKS_EXCLUDED(mutex_);
  bool AllEnded() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Refuses new members, and returns those there are.
  std::vector<std::shared_ptr<Entry>> BeginStop() ABSL_LOCKS_EXCLUDED(mutex_);

  const std::string name_;
  const OnFailure on_failure_;
  mutable base::Mutex mutex_;
  base::CondVar changed_;
  State state_ ABSL_GUARDED_BY(mutex_) = State::kIdle;
  Context parent_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::shared_ptr<Entry>> entries_ ABSL_GUARDED_BY(mutex_);
  // Members that were forgotten and whose threads are not joined yet.
  std::vector<std::shared_ptr<Entry>> ended_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::controller::internal

#endif  // CONTROLLER_MANAGER_INTERNAL_RUNNABLE_GROUP_H_
