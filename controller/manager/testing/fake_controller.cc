#include "controller/manager/testing/fake_controller.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "controller/manager/manager_status.h"

namespace kube::controller {

using base::MutexLock;

void Journal::Add(std::string line) {
  MutexLock lock(mutex_);
  lines_.push_back(std::move(line));
}

std::vector<std::string> Journal::Lines() const {
  MutexLock lock(mutex_);
  return lines_;
}

bool Journal::Has(absl::string_view line) const {
  MutexLock lock(mutex_);
  return std::find(lines_.begin(), lines_.end(), line) != lines_.end();
}

bool Journal::InOrder(absl::string_view first, absl::string_view second) const {
  MutexLock lock(mutex_);
  const auto found = std::find(lines_.begin(), lines_.end(), first);
  return found != lines_.end() && std::find(found, lines_.end(), second) != lines_.end();
}

void FakeController::Note(absl::string_view what) {
  journal_.Add(absl::StrCat(options_.name, " ", what));
}

void FakeController::SetWorking(bool working) {
  MutexLock lock(mutex_);
  working_ = working;
}

void FakeController::StartWatches() { Note("watches"); }

absl::Status FakeController::WaitForSync(const Context& ctx) {
  KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, options_.sync_takes));
  KUBE_RETURN_IF_ERROR(options_.sync_error);
  Note("synced");
  return absl::OkStatus();
}

absl::Status FakeController::RunWorkers(const Context& take, const Context& work) {
  Note("works");
  KUBE_RETURN_IF_ERROR(options_.work_error);
  SetWorking(true);
  base::WaitUntilDone(take).IgnoreError();
  Note("takes no more");
  const absl::Status slept =
      base::SleepFor(options_.heeds_context ? work : Context(), options_.in_work);
  SetWorking(false);
  Note(slept.ok() ? "drained" : "cancelled");
  return absl::OkStatus();
}

ControllerStatus FakeController::status() const {
  ControllerStatus status;
  status.name = options_.name;
  MutexLock lock(mutex_);
  status.workers.push_back({.key = working_ ? "default/a" : ""});
  return status;
}

}  // namespace kube::controller
