#include "controller/manager/internal/runnable_group.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread.h"
#include "controller/manager/manager_status.h"

namespace kube::controller::internal {

using base::MutexLock;

struct RunnableGroup::Entry {
  explicit Entry(GroupMember group_member) : member(std::move(group_member)) {}

  // Its `run` is used by the thread alone, once that has started.
  GroupMember member;
  // Set once, before the thread starts.
  std::optional<CancelScope> work;
  std::optional<CancelScope> take;
  // The group's mutex guards these.
  bool started = false;
  bool ended = false;
  absl::Time since = absl::InfinitePast();
  absl::Status error;
  // Joined by the call that took the entry out of the group when it had ended.
  base::Thread thread;
};

RunnableGroup::RunnableGroup(std::string name, OnFailure on_failure)
    : name_(std::move(name)), on_failure_(std::move(on_failure)) {}

RunnableGroup::~RunnableGroup() { Shutdown(); }

absl::Status RunnableGroup::Add(GroupMember member) {
  JoinEnded();
  std::shared_ptr<Entry> not_started;  // destroyed without the lock, as it owns code of others
  MutexLock lock(mutex_);
  for (const std::shared_ptr<Entry>& entry : entries_) {
    if (entry->member.name != member.name) continue;
    return absl::AlreadyExistsError(absl::StrCat("add \"", member.name, "\" to phase ", name_,
                                                 ": there is another one of that name"));
  }
  if (state_ == State::kStopping) {
    return absl::FailedPreconditionError(
        absl::StrCat("add \"", member.name, "\" to phase ", name_,
                     ": can't accept new runnable as stop procedure is already engaged"));
  }
  entries_.push_back(std::make_shared<Entry>(std::move(member)));
  if (state_ != State::kRunning) return absl::OkStatus();
  absl::Status started = StartEntry(*entries_.back());
  if (!started.ok()) {
    not_started = std::move(entries_.back());
    entries_.pop_back();
  }
  return started;
}

absl::Status RunnableGroup::StartEntry(Entry& entry) {
  entry.work.emplace(WithCancel(parent_));
  entry.take.emplace(WithCancel(entry.work->context()));
  entry.since = base::WallNow();
  absl::Status started = entry.thread.Start(parent_, entry.member.name,
                                            [this, &entry](const Context&) { RunEntry(entry); });
  entry.started = started.ok();
  return base::Annotate(started, absl::StrCat("start \"", entry.member.name, "\""));
}

void RunnableGroup::RunEntry(Entry& entry) {
  const Context take = entry.take->context();
  absl::Status status = entry.member.run(take, entry.work->context());
  entry.member.run = nullptr;  // with all that it holds
  const bool asked_to_end = take.done();
  if (status.ok() && !entry.member.may_end && !asked_to_end) {
    status = absl::FailedPreconditionError("it ended, but should run until its context is done");
  }
  if (!asked_to_end && !status.ok()) {
    on_failure_(base::Annotate(status, absl::StrCat("run \"", entry.member.name, "\"")));
  } else if (!status.ok() && !absl::IsCancelled(status) && !absl::IsDeadlineExceeded(status)) {
    log::Error(status, "error received after stop sequence was engaged",
               {{"phase", name_}, {"runnable", entry.member.name}});
  } else {
    status = absl::OkStatus();
  }
  // Each joins those that have ended before it, so that few threads are left.
  JoinEnded();
  MutexLock lock(mutex_);
  entry.ended = true;
  entry.error = std::move(status);
  entry.since = base::WallNow();
  if (entry.error.ok()) {
    const auto found = std::find_if(
        entries_.begin(), entries_.end(),
        [&entry](const std::shared_ptr<Entry>& other) { return other.get() == &entry; });
    ended_.push_back(std::move(*found));
    entries_.erase(found);
  }
  // With the lock held, since a waiter may destroy the group as soon as it sees the end.
  changed_.NotifyAll();
}

void RunnableGroup::JoinEnded() {
  std::vector<std::shared_ptr<Entry>> ended;
  {
    MutexLock lock(mutex_);
    ended.swap(ended_);
  }
  for (const std::shared_ptr<Entry>& entry : ended) entry->thread.Join();
}

void RunnableGroup::Remove(absl::string_view name) {
  std::shared_ptr<Entry> removed;
  {
    MutexLock lock(mutex_);
    for (const std::shared_ptr<Entry>& entry : entries_) {
      if (entry->member.name == name) removed = entry;
    }
    if (removed == nullptr) return;
    if (!removed->started) {
      entries_.erase(std::find(entries_.begin(), entries_.end(), removed));
      return;
    }
  }
  removed->work->Cancel();
  bool joins = false;
  {
    MutexLock lock(mutex_);
    changed_.Wait(Context(), mutex_, [&removed] { return removed->ended; }).IgnoreError();
    const auto found = std::find(entries_.begin(), entries_.end(), removed);
    joins = found != entries_.end();  // it has ended with an error
    if (joins) entries_.erase(found);
  }
  if (joins) removed->thread.Join();
  JoinEnded();
}

absl::Status RunnableGroup::Start(const Context& parent) {
  MutexLock lock(mutex_);
  if (state_ != State::kIdle) {
    return absl::FailedPreconditionError(absl::StrCat("start phase ", name_, ": it was stopped"));
  }
  state_ = State::kRunning;
  parent_ = parent;
  for (const std::shared_ptr<Entry>& entry : entries_) {
    KUBE_RETURN_IF_ERROR(StartEntry(*entry));
  }
  return absl::OkStatus();
}

std::vector<std::shared_ptr<RunnableGroup::Entry>> RunnableGroup::BeginStop() {
  MutexLock lock(mutex_);
  state_ = State::kStopping;
  return entries_;
}

// Contexts are cancelled without the lock, because that runs callbacks of other code.
void RunnableGroup::StopTaking() {
  for (const std::shared_ptr<Entry>& entry : BeginStop()) {
    if (entry->take.has_value()) entry->take->Cancel();
  }
}

void RunnableGroup::Cancel() {
  for (const std::shared_ptr<Entry>& entry : BeginStop()) {
    if (entry->work.has_value()) entry->work->Cancel();
  }
}

bool RunnableGroup::AllEnded() const {
  return std::all_of(entries_.begin(), entries_.end(), [](const std::shared_ptr<Entry>& entry) {
    return entry->ended || !entry->started;
  });
}

absl::Status RunnableGroup::Wait(const Context& ctx) {
  std::vector<std::shared_ptr<Entry>> running;
  {
    MutexLock lock(mutex_);
    const absl::Status waited = changed_.Wait(
        ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return AllEnded(); });
    if (!waited.ok()) {
      for (const std::shared_ptr<Entry>& entry : entries_) {
        if (entry->started && !entry->ended) running.push_back(entry);
      }
    }
  }
  JoinEnded();
  if (running.empty()) return absl::OkStatus();
  std::vector<std::string> names;
  for (const std::shared_ptr<Entry>& entry : running) {
    const std::string where = entry->member.where == nullptr ? "" : entry->member.where();
    names.push_back(
        absl::StrCat("\"", entry->member.name, "\"", where.empty() ? "" : " in ", where));
  }
  return absl::DeadlineExceededError(
      absl::StrCat("these have not ended: ", absl::StrJoin(names, ", ")));
}

bool RunnableGroup::ended() const {
  MutexLock lock(mutex_);
  return AllEnded();
}

void RunnableGroup::Shutdown() {
  Cancel();
  std::vector<std::shared_ptr<Entry>> entries;
  {
    MutexLock lock(mutex_);
    changed_
        .Wait(Context(), mutex_,
              [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return AllEnded(); })
        .IgnoreError();
    entries.swap(entries_);
  }
  for (const std::shared_ptr<Entry>& entry : entries) entry->thread.Join();
  JoinEnded();
}

std::vector<RunnableStatus> RunnableGroup::status() const {
  MutexLock lock(mutex_);
  std::vector<RunnableStatus> all;
  for (const std::shared_ptr<Entry>& entry : entries_) {
    const char* state = "waiting";
    if (entry->started) state = state_ == State::kStopping ? "stopping" : "running";
    if (entry->ended) state = "ended";
    all.push_back({.name = entry->member.name,
                   .phase = name_,
                   .state = state,
                   .since = entry->since,
                   .error = std::string(entry->error.message())});
  }
  return all;
}

}  // namespace kube::controller::internal
