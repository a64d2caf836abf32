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

// A cycle begins with a watch-list or a list (StartCycle), continues with one watch after another,
// and ends with an error that requires a new list (EndCycle), after which the machine backs off.
//
// * `last_version_` is the version of the last complete list, or of the last event or bookmark of a
//   watch that counts (`versions_count_`). All later requests continue from it.
// * If the server rejects that version as too old or too new, `version_unavailable_` makes lists
//   ask for "", the most recent state, until one is complete. This is tried at once, but only once
//   in a row.
// * Every step that begins or gives up a list or watch-list drops the collected objects (kForget).
//   kReplace is issued exactly once per complete list or watch-list.
// * Errors that end a cycle, and those of an unreachable server, are followed by a wait. These
//   continue at once: a rejected version, a pager that falls back, a failed watch-list (a list
//   follows), and a watch that has ended or lost its connection (a new watch follows), unless it
//   was shorter than kShortWatch.
// * SetError counts and remembers an error. A complete list or watch-list, or an opened watch,
//   clears it.

namespace kube::informers::internal {

namespace metav1 = api::meta::v1;
using watch::EventType;

namespace {

// Page size of client-go's pager.
constexpr int64_t kDefaultPageSize = 500;
// A watch that ends sooner than this without an event counts as failed.
constexpr absl::Duration kShortWatch = absl::Seconds(1);
// Internal errors further apart than this are counted as separate incidents.
constexpr absl::Duration kInternalErrorReset = absl::Minutes(1);

// Returns whether a watch from this version begins with the existing objects.
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
  // Updated in one place: what status() reports is the version that the next requests will use.
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

// ---- cycles: a list or watch-list, followed by watches until a new list is needed

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

// (client-go: `relistResourceVersion`, `rewatchResourceVersion`)
std::string ReflectorMachine::ListVersion(absl::string_view first) const {
  if (version_unavailable_) return "";
  return last_version_.empty() ? std::string(first) : last_version_;
}

ReflectorStep ReflectorMachine::StartList(std::string resource_version) {
  // With any other version, a page limit would keep the server from using its cache.
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
  // Without NotOlderThan, pages of a given version are read from exactly that state. The watch from
  // there would expire again after a restart of the server, and so on, until etcd has compacted the
  // version. client-go loops like that if it has a page size.
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
  // Later pages have the version of the first page, whatever they say.
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
  // Random, so that not all watches end at the same time.
  const double least = absl::ToDoubleSeconds(plan_.min_watch_timeout);
  options_.timeout_seconds = static_cast<int64_t>(least + base::UniformDouble() * least);
  versions_count_ = !GivesInitialObjects(resource_version);
  opened_ = false;
  events_ = 0;
  // Measured from before the request: some proxies hold the response header back until the first
  // event.
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
    return ListInstead(absl::UnavailableError("watch closed before the initial list was complete"));
  }
  const absl::Duration lasted = base::Now() - opening_;
  if (lasted >= kShortWatch) {
    short_watches_ = 0;
    return OpenWatch(ObjectsAction::kNone);
  }
  const absl::Status error = absl::UnavailableError(
      "very short watch: unexpected watch close - watch lasted less than a second and no items "
      "received");
  if (events_ == 0) return EndCycle(error);
  // client-go would open the next watch without delay. These watches do deliver events, so one is
  // opened per second; a longer wait would leave the cache stale and give the next watch more to
  // deliver.
  if (++short_watches_ > 1) return WaitFor(kShortWatch - lasted, error, AfterWait::kWatch);
  return OpenWatch(ObjectsAction::kNone);
}

ReflectorStep ReflectorMachine::OnWatchListFailed(const absl::Status& error) {
  if (IsServerAway(error)) return BackOff(error, AfterWait::kWatchList);
  // Only once: if "" is rejected too, asking again does not help.
  if ((IsExpired(error) || IsResourceVersionTooLarge(error)) && !version_unavailable_) {
    SetError(error);
    version_unavailable_ = true;
    return OpenWatchList();
  }
  return ListInstead(error);
}

// Lists for the rest of this cycle; the next cycle tries a watch-list again.
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
  // Includes an expired version: a list at the last version also returns everything newer.
  return EndCycle(error);
}

// (client-go: `RetryWithDeadline`)
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
