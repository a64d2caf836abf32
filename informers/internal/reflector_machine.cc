#include "informers/internal/reflector_machine.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/watch/event.h"
#include "informers/internal/reflector_errors.h"

namespace kube::informers::internal {

namespace metav1 = api::meta::v1;
using watch::EventType;

namespace {

// Upstream's pager.
constexpr int64_t kDefaultPageSize = 500;
// Less, and without an event, and it was no watch (RF-11).
constexpr absl::Duration kShortWatch = absl::Seconds(1);
// Internal errors that are further apart have nothing to do with each other.
constexpr absl::Duration kInternalErrorReset = absl::Minutes(1);

// Whether a watch from there begins with the objects that there are.
bool GivesInitialObjects(absl::string_view resource_version) {
  return resource_version.empty() || resource_version == "0";
}

void Count(EventType type, ReflectorCounters& counters) {
  switch (type) {
    case EventType::kAdded:
      ++counters.added;
      break;
    case EventType::kModified:
      ++counters.modified;
      break;
    case EventType::kDeleted:
      ++counters.deleted;
      break;
    default:
      ++counters.bookmarks;
  }
}

}  // namespace

ReflectorMachine::ReflectorMachine(ReflectorPlan plan)
    : plan_(std::move(plan)), backoff_(plan_.backoff, plan_.backoff_reset) {}

ReflectorStep ReflectorMachine::Step(const ReflectorInput& input) {
  if (std::holds_alternative<EventCame>(input) || std::holds_alternative<PageListed>(input)) {
    status_.last_heard = base::Now();
  }
  ReflectorStep step = std::visit([this](const auto& i) { return On(i); }, input);
  // Only here, not with each of its places: what others see is what the next requests will say.
  if (status_.last_sync_resource_version != last_version_) {
    status_.last_sync_resource_version = last_version_;
  }
  return step;
}

void ReflectorMachine::Enter(ReflectorState state) {
  if (status_.state == state) return;
  status_.state = state;
  status_.since = base::Now();
}

void ReflectorMachine::SetError(const absl::Status& error) {
  ++status_.counters.errors;
  if (IsExpired(error) || IsResourceVersionTooLarge(error)) ++status_.counters.expired;
  status_.error = error;
}

// ---- cycles: a list or watch-list, and watches, until one has to list again

ReflectorStep ReflectorMachine::On(const Started&) { return StartCycle(); }

ReflectorStep ReflectorMachine::StartCycle() {
  first_internal_error_.reset();
  return plan_.watch_list ? OpenWatchList() : StartList(ListVersion("0"));
}

ReflectorStep ReflectorMachine::EndCycle(const absl::Status& error) {
  return BackOff(error, AfterWait::kCycle);
}

ReflectorStep ReflectorMachine::BackOff(const absl::Status& error, AfterWait then) {
  absl::Duration wait = backoff_.Step();
  if (const auto asked = errors::SuggestsClientDelay(error)) wait = std::max(wait, *asked);
  return WaitFor(wait, error, then);
}

ReflectorStep ReflectorMachine::WaitFor(absl::Duration wait, const absl::Status& error,
                                        AfterWait then) {
  SetError(error);
  ++status_.counters.back_offs;
  wait_ = wait;
  after_wait_ = then;
  Enter(ReflectorState::kBackingOff);
  return {ObjectsAction::kForget, ReflectorTask::kWait};
}

ReflectorStep ReflectorMachine::On(const Waited&) {
  switch (after_wait_) {
    case AfterWait::kWatchList:
      return OpenWatchList();
    case AfterWait::kWatch:
      return OpenWatch(ObjectsAction::kNone);
    case AfterWait::kCycle:
      break;
  }
  return StartCycle();
}

ReflectorStep ReflectorMachine::On(const Stopped&) {
  Enter(ReflectorState::kStopped);
  return {ObjectsAction::kForget, ReflectorTask::kEnd};
}

ReflectorStep ReflectorMachine::On(const StoreFailed& input) { return EndCycle(input.error); }

ReflectorStep ReflectorMachine::On(const Failed& input) {
  switch (status_.state) {
    case ReflectorState::kListing:
      return OnListFailed(input.error);
    case ReflectorState::kWatchListing:
      return OnWatchListFailed(input.error);
    default:
      return OnWatchFailed(input.error);
  }
}

// ---- lists

// (relistResourceVersion, rewatchResourceVersion)
std::string ReflectorMachine::ListVersion(absl::string_view first) const {
  if (version_unavailable_) return "";
  return last_version_.empty() ? std::string(first) : last_version_;
}

ReflectorStep ReflectorMachine::StartList(std::string resource_version) {
  // With another version than these two, pages would keep the server from using its cache (RF-4).
  int64_t page_size = kDefaultPageSize;
  if (plan_.page_size > 0) {
    page_size = plan_.page_size;
  } else if (!paginated_ && !GivesInitialObjects(resource_version)) {
    page_size = 0;
  }
  if (status_.state != ReflectorState::kListing) relisted_ = false;
  options_ = {};
  options_.label_selector = plan_.label_selector;
  options_.field_selector = plan_.field_selector;
  options_.resource_version = resource_version;
  // Pages of a version are pages of that very state, unless this is said: after a restart of the
  // server the watch from there expires again, and so on, until etcd has forgotten it. (client-go
  // goes round like that where it has a page size)
  if (page_size > 0 && !GivesInitialObjects(resource_version)) {
    options_.resource_version_match = metav1::kResourceVersionMatchNotOlderThan;
  }
  list_version_ = std::move(resource_version);
  first_page_version_.clear();
  has_continued_ = false;
  pages_.emplace(options_, page_size);
  options_ = pages_->options();
  ++status_.counters.lists;
  Enter(ReflectorState::kListing);
  return {ObjectsAction::kForget, ReflectorTask::kList};
}

ReflectorStep ReflectorMachine::On(const PageListed& page) {
  ++status_.counters.pages;
  // The pages after it are of the same version, whatever they say.
  if (first_page_version_.empty()) first_page_version_ = page.resource_version;
  if (pages_->Advance(page.continue_token)) {
    has_continued_ = true;
    options_ = pages_->options();
    return {ObjectsAction::kNone, ReflectorTask::kList};
  }
  if (list_version_ == "0" && has_continued_) paginated_ = true;
  version_unavailable_ = false;
  last_version_ = first_page_version_;
  status_.error = absl::OkStatus();
  ++status_.counters.syncs;
  return OpenWatch(ObjectsAction::kReplace);
}

ReflectorStep ReflectorMachine::OnListFailed(const absl::Status& error) {
  if (pages_->FallBack(error)) {
    SetError(error);
    first_page_version_.clear();
    options_ = pages_->options();
    return {ObjectsAction::kForget, ReflectorTask::kList};
  }
  if ((IsExpired(error) || IsResourceVersionTooLarge(error)) && !relisted_) {
    SetError(error);
    version_unavailable_ = true;
    relisted_ = true;
    return StartList("");
  }
  return EndCycle(error);
}

// ---- watches

void ReflectorMachine::MakeWatchOptions(std::string resource_version) {
  options_ = {};
  options_.label_selector = plan_.label_selector;
  options_.field_selector = plan_.field_selector;
  options_.resource_version = resource_version;
  options_.allow_watch_bookmarks = true;
  // Spread, so that not all watches end at once (RF-1).
  const double least = absl::ToDoubleSeconds(plan_.min_watch_timeout);
  options_.timeout_seconds = static_cast<int64_t>(least + base::UniformDouble() * least);
  versions_count_ = !GivesInitialObjects(resource_version);
  opened_ = false;
  events_ = 0;
  // Before the request: some proxies hold back the header until there is an event.
  opening_ = base::Now();
}

ReflectorStep ReflectorMachine::OpenWatchList() {
  MakeWatchOptions(ListVersion(""));
  options_.send_initial_events = true;
  options_.resource_version_match = metav1::kResourceVersionMatchNotOlderThan;
  ++status_.counters.watch_lists;
  Enter(ReflectorState::kWatchListing);
  return {ObjectsAction::kForget, ReflectorTask::kOpenWatch};
}

ReflectorStep ReflectorMachine::OpenWatch(ObjectsAction objects) {
  MakeWatchOptions(last_version_);
  ++status_.counters.watches;
  Enter(ReflectorState::kWatching);
  return {objects, ReflectorTask::kOpenWatch};
}

ReflectorStep ReflectorMachine::On(const WatchOpened&) {
  opened_ = true;
  if (status_.state == ReflectorState::kWatching) status_.error = absl::OkStatus();
  return {ObjectsAction::kNone, ReflectorTask::kReadWatch};
}

ReflectorStep ReflectorMachine::On(const EventCame& event) {
  ++events_;
  Count(event.type, status_.counters);
  if (status_.state == ReflectorState::kWatchListing) return OnWatchListEvent(event);
  if (event.type != EventType::kAdded) versions_count_ = true;
  if (versions_count_ && !event.resource_version.empty()) {
    last_version_.assign(event.resource_version.data(), event.resource_version.size());
  }
  const bool bookmark = event.type == EventType::kBookmark;
  return {bookmark ? ObjectsAction::kBookmark : ObjectsAction::kApply, ReflectorTask::kReadWatch};
}

ReflectorStep ReflectorMachine::OnWatchListEvent(const EventCame& event) {
  if (event.type != EventType::kBookmark) {
    return {ObjectsAction::kCollect, ReflectorTask::kReadWatch};
  }
  if (!event.ends_initial_events) return {ObjectsAction::kNone, ReflectorTask::kReadWatch};
  last_version_ = std::string(event.resource_version);
  version_unavailable_ = false;
  versions_count_ = true;
  status_.error = absl::OkStatus();
  ++status_.counters.syncs;
  Enter(ReflectorState::kWatching);
  return {ObjectsAction::kReplace, ReflectorTask::kReadWatch};
}

ReflectorStep ReflectorMachine::On(const WatchEnded&) {
  if (status_.state == ReflectorState::kWatchListing) {
    return ListInstead(absl::UnavailableError("the watch has ended before all objects had come"));
  }
  const absl::Duration lasted = base::Now() - opening_;
  if (lasted >= kShortWatch) {
    short_watches_ = 0;
    return OpenWatch(ObjectsAction::kNone);
  }
  const absl::Status error = absl::UnavailableError("the watch has ended at once");
  if (events_ == 0) return EndCycle(error);
  // Upstream would go on as fast as it can. They bring something: one a second, and no longer
  // waits, in which the cache would grow stale and the next watch have more to bring.
  if (++short_watches_ > 1) return WaitFor(kShortWatch - lasted, error, AfterWait::kWatch);
  return OpenWatch(ObjectsAction::kNone);
}

ReflectorStep ReflectorMachine::OnWatchListFailed(const absl::Status& error) {
  if (IsServerAway(error)) return BackOff(error, AfterWait::kWatchList);
  // Once: what is wrong with "" too, does not get better by asking again.
  if ((IsExpired(error) || IsResourceVersionTooLarge(error)) && !version_unavailable_) {
    SetError(error);
    version_unavailable_ = true;
    return OpenWatchList();
  }
  return ListInstead(error);
}

// For this cycle: the next one tries a watch-list again (RF-6).
ReflectorStep ReflectorMachine::ListInstead(const absl::Status& error) {
  SetError(error);
  return StartList(ListVersion("0"));
}

ReflectorStep ReflectorMachine::OnWatchFailed(const absl::Status& error) {
  if (IsServerAway(error)) return BackOff(error, AfterWait::kWatch);
  if (!opened_) return EndCycle(error);
  if (IsConnectionEnd(error)) {
    SetError(error);
    return On(WatchEnded());
  }
  if (errors::IsInternalError(error) && RetriesInternalErrors()) {
    return BackOff(error, AfterWait::kWatch);
  }
  // Also that it has expired: a list at the last version gives what is newer, too (RF-7).
  return EndCycle(error);
}

// (RetryWithDeadline)
bool ReflectorMachine::RetriesInternalErrors() {
  if (plan_.max_internal_error_retry <= absl::ZeroDuration()) return false;
  const base::MonotonicTime now = base::Now();
  if (!first_internal_error_.has_value() || now - last_internal_error_ >= kInternalErrorReset) {
    first_internal_error_ = now;
  }
  last_internal_error_ = now;
  return now - *first_internal_error_ <= plan_.max_internal_error_retry;
}

}  // namespace kube::informers::internal
