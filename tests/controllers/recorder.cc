#include "tests/controllers/recorder.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"

namespace kube::controllers {
namespace {

using base::MutexLock;

// How long after the stop a key may still be taken: the stop takes no time, but several steps.
constexpr absl::Duration kStop = absl::Seconds(1);
// The default of ManagerOptions::drain_timeout.
constexpr absl::Duration kDrain = absl::Seconds(15);
constexpr size_t kLinesOfStory = 80;

std::string Describe(const Work& work) {
  return absl::StrCat(work.program, " ", work.controller, " ", work.key);
}

}  // namespace

Recorder::Reconcile Recorder::Begin(const Work& work, absl::string_view why) {
  MutexLock lock(mutex_);
  TellLocked(absl::StrCat(Describe(work), " begins: ", why));
  CheckBegin(work);
  running_[++last_id_] = work;
  return Reconcile(*this, last_id_);
}

void Recorder::CheckBegin(const Work& work) {
  if (ended_.count(work.program) != 0) {
    ViolateLocked(absl::StrCat(Describe(work), ": a reconcile after the end of Run"));
  }
  const auto stopped = stopped_.find(work.program);
  const absl::Duration allowed = work.prepares ? kDrain + kStop : kStop;
  if (stopped != stopped_.end() && base::Now() - stopped->second > allowed) {
    ViolateLocked(absl::StrCat(Describe(work), ": a reconcile after the stop"));
  }
  for (const auto& [id, other] : running_) {
    if (other.controller != work.controller) continue;
    if (other.program == work.program && other.key == work.key) {
      ViolateLocked(absl::StrCat(Describe(work), ": two workers have the key"));
    }
    if (other.program != work.program && work.leads) {
      ViolateLocked(
          absl::StrCat(Describe(work), ": two leaders, the other one is at ", Describe(other)));
    }
  }
}

void Recorder::End(int64_t id) {
  MutexLock lock(mutex_);
  const auto it = running_.find(id);
  TellLocked(absl::StrCat(Describe(it->second), " ends"));
  running_.erase(it);
}

void Recorder::NoteStop(const std::string& program) {
  MutexLock lock(mutex_);
  TellLocked(absl::StrCat(program, " is told to end"));
  stopped_.emplace(program, base::Now());
}

void Recorder::NoteEnd(const std::string& program) {
  MutexLock lock(mutex_);
  if (!ended_.insert(program).second) return;
  TellLocked(absl::StrCat(program, " has ended"));
  for (const auto& [id, work] : running_) {
    if (work.program != program) continue;
    ViolateLocked(absl::StrCat(Describe(work), ": it runs after the end of Run"));
  }
}

void Recorder::Tell(absl::string_view line) {
  MutexLock lock(mutex_);
  TellLocked(line);
}

void Recorder::TellLocked(absl::string_view line) {
  story_.push_back(
      absl::StrCat(absl::FormatDuration(base::Now() - base::MonotonicTime()), " ", line));
  if (story_.size() > kLinesOfStory) story_.pop_front();
}

void Recorder::Violate(absl::string_view what) {
  MutexLock lock(mutex_);
  ViolateLocked(what);
}

void Recorder::ViolateLocked(absl::string_view what) {
  if (!status_.ok()) return;
  status_ = absl::DataLossError(absl::StrCat(what, StoryLocked()));
}

absl::Status Recorder::status() const {
  MutexLock lock(mutex_);
  return status_;
}

std::string Recorder::Story() const {
  MutexLock lock(mutex_);
  return StoryLocked();
}

std::string Recorder::StoryLocked() const {
  return absl::StrCat("\nwhat happened before:\n  ", absl::StrJoin(story_, "\n  "));
}

int64_t Recorder::reconciles() const {
  MutexLock lock(mutex_);
  return last_id_;
}

int64_t Recorder::programs() const {
  MutexLock lock(mutex_);
  return static_cast<int64_t>(ended_.size());
}

void Recorder::NoteCreated(const std::string& child, const std::string& name) {
  MutexLock lock(mutex_);
  TellLocked(absl::StrCat("created ", name, " as ", child));
  created_[child] = name;
}

std::string Recorder::LastCreated(const std::string& child) const {
  MutexLock lock(mutex_);
  const auto it = created_.find(child);
  return it == created_.end() ? "" : it->second;
}

void Recorder::NoteSeen(const std::string& program, const std::string& namespace_name,
                        Versions seen) {
  MutexLock lock(mutex_);
  seen_[program][namespace_name] = std::move(seen);
}

std::map<std::string, Versions> Recorder::Seen(const std::string& program) const {
  MutexLock lock(mutex_);
  const auto of_program = seen_.find(program);
  if (of_program == seen_.end()) return {};
  std::map<std::string, Versions> seen = of_program->second;
  std::erase_if(seen, [](const auto& each) { return each.second.empty(); });
  return seen;
}

}  // namespace kube::controllers
