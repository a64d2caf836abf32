#include "tests/planted_bugs/loops.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "controller/events/event_types.h"
#include "controller/manager/manager.h"
#include "controller/reconcile/result.h"
#include "tests/planted_bugs/shelf.client.kube.h"
#include "tests/planted_bugs/shelf.kube.h"

namespace kube::planted_bugs {

using controller::Result;
using ::library::v1::Shelf;
using ::library::v1::ShelfClient;
using ::library::v1::ShelfStatus;

namespace {

constexpr char kGroup[] = "library.example.com";
constexpr char kShelves[] = "shelves";
constexpr char kVisits[] = "visits";

}  // namespace

VisitCounter::VisitCounter(controller::Manager& manager)
    : shelves_(manager, {.name = "visit-counter"}), writer_(shelves_.Writes<Shelf>()) {
  shelves_.Reconciles([this](Request& request) { return Reconcile(request); });
}

absl::Status VisitCounter::Reconcile(Request& request) const {
  const auto count = [](Shelf& shelf) {
    int visits = 0;
    const std::string text(shelf.metadata.annotations.value_or(kVisits, ""));
    if (!absl::SimpleAtoi(text, &visits)) visits = 0;
    shelf.metadata.annotations[kVisits] = absl::StrCat(visits + 1);
    return absl::OkStatus();
  };
  return writer_.Edit(request, request.name().name, count).status();
}

TimestampWriter::TimestampWriter(controller::Manager& manager)
    : shelves_(manager, {.name = "timestamp-writer"}) {
  shelves_.Reconciles([this](Request& request) { return Reconcile(request); });
}

absl::StatusOr<Result> TimestampWriter::Reconcile(Request& request) {
  const std::string now = absl::FormatTime(absl::RFC3339_sec, base::WallNow(), absl::UTCTimeZone());
  KUBE_RETURN_IF_ERROR(
      shelves_.EditStatus(request, [&now](ShelfStatus& status) { status.checked_at = now; }));
  return Result{.requeue_after = absl::Seconds(30)};
}

Keeper::Keeper(controller::Manager& manager, std::string name)
    : name_(std::move(name)),
      shelves_(manager, {.name = name_}),
      writer_(shelves_.Writes<Shelf>()) {
  shelves_.Reconciles([this](Request& request) { return Reconcile(request); });
}

absl::Status Keeper::Reconcile(Request& request) const {
  if (request.object()->spec.keeper == name_) return absl::OkStatus();
  const auto keep = [this](Shelf& shelf) {
    shelf.spec.keeper = name_;
    return absl::OkStatus();
  };
  return writer_.Edit(request, request.name().name, keep).status();
}

Poller::Poller(controller::Manager& manager)
    : client_(manager.client()), shelves_(manager, {.name = "poller"}) {
  manager.RequireAccess({.group = kGroup, .resource = kShelves, .verbs = {"get"}});
  shelves_.Reconciles([this](Request& request) { return Reconcile(request); });
}

absl::StatusOr<Result> Poller::Reconcile(Request& request) const {
  const ShelfClient shelves(client_, request.name().namespace_name);
  KUBE_ASSIGN_OR_RETURN(const Shelf now, shelves.Get(request.context(), request.name().name));
  if (!now.spec.keeper.empty()) return Result();
  return Result{.requeue_after = absl::Milliseconds(1)};
}

Chatterer::Chatterer(controller::Manager& manager) : shelves_(manager, {.name = "chatterer"}) {
  shelves_.Reconciles([this](Request& request) { return Reconcile(request); });
}

absl::StatusOr<Result> Chatterer::Reconcile(Request& request) const {
  // Another reason and another text each time, so that nothing can be counted up instead.
  const int64_t now = absl::ToUnixSeconds(base::WallNow());
  request.Event(events::kEventTypeNormal, absl::StrCat("LookedAt", now),
                absl::StrCat("the shelf is fine, as of second ", now));
  return Result{.requeue_after = absl::Seconds(1)};
}

Waiter::Waiter(controller::Manager& manager)
    : client_(manager.client()), shelves_(manager, {.name = "waiter"}) {
  manager.RequireAccess({.group = kGroup, .resource = kShelves, .verbs = {"get"}});
  shelves_.Reconciles([this](Request& request) { return Reconcile(request); });
}

absl::Status Waiter::Reconcile(Request& request) const {
  const ShelfClient shelves(client_, request.name().namespace_name);
  while (true) {
    const absl::StatusOr<Shelf> now = shelves.Get(Context(), request.name().name);
    if (now.ok() && !now->spec.keeper.empty()) return absl::OkStatus();
    KUBE_RETURN_IF_ERROR(base::SleepFor(Context(), absl::Seconds(10)));
  }
}

}  // namespace kube::planted_bugs
