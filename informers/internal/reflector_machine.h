#ifndef INFORMERS_INTERNAL_REFLECTOR_MACHINE_H_
#define INFORMERS_INTERNAL_REFLECTOR_MACHINE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/backoff.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/watch/event.h"
#include "clientset/pager/page_plan.h"
#include "informers/reflector_status.h"

namespace kube::informers::internal {

// ---- inputs: what has happened

struct Started {};
// A list or a page of a list is complete.
struct PageListed {
  std::string resource_version = {};
  std::string continue_token = {};
};
struct WatchOpened {};
// An event other than an error has arrived.
struct EventCame {
  watch::EventType type = watch::EventType::kAdded;
  absl::string_view resource_version = {};
  // A bookmark that marks the end of the initial objects.
  bool ends_initial_events = false;
};
// The watch has ended without an error.
struct WatchEnded {};
// The task or the watch has failed.
struct Failed {
  absl::Status error = {};
};
// The sink did not accept the objects.
struct StoreFailed {
  absl::Status error = {};
};
// The wait is over.
struct Waited {};
struct Stopped {};

using ReflectorInput = std::variant<Started, PageListed, WatchOpened, EventCame, WatchEnded, Failed,
                                    StoreFailed, Waited, Stopped>;

// ---- steps: first an action on objects, then a task

enum class ObjectsAction {
  kNone,
  kForget,    // drop the collected objects
  kCollect,   // apply the event to the collected objects
  kReplace,   // hand the collected objects over as the full list at resource_version()
  kApply,     // hand the event over
  kBookmark,  // hand over that the objects are current as of resource_version()
};

enum class ReflectorTask {
  kList,       // list with options(), collecting the objects
  kOpenWatch,  // open a watch with options()
  kReadWatch,  // read one event
  kWait,       // wait for wait()
  kEnd,
};

struct ReflectorStep {
  ObjectsAction objects = ObjectsAction::kNone;
  ReflectorTask task = ReflectorTask::kEnd;
  friend bool operator==(const ReflectorStep&, const ReflectorStep&) = default;
};

// The options of the machine; see ReflectorOptions.
struct ReflectorPlan {
  bool watch_list = true;
  int64_t page_size = 0;
  std::string label_selector = {};
  std::string field_selector = {};
  absl::Duration min_watch_timeout = absl::Minutes(5);
  absl::Duration max_internal_error_retry = absl::ZeroDuration();
  base::Backoff backoff = {};
  absl::Duration backoff_reset = absl::Minutes(2);
};

// The protocol of a reflector as a state machine: lists then watches, or lists by watching; decides
// how to react to each error and from which resource version to continue. It performs no I/O, never
// blocks and knows no objects; it takes only the time and random numbers from the Runtime.
// (client-go: `list`, `watchList`, `watch` and `ListAndWatch` in reflector.go)
//
//   kNotStarted -> kWatchListing -> kWatching     a watch-list, and its watch goes on
//               -> kListing      -> kWatching     a list in pages, then a watch
//   kWatchListing -> kListing                     the server has no watch-lists, or it failed
//   kWatching -> kWatching                        the watch has ended: another, from where it was
//   any -> kBackingOff -> kWatching               no connection, 429: the same watch again
//                      -> kWatchListing, kListing all else, also 410: list again
//
// Thread-compatible.
class ReflectorMachine {
 public:
  explicit ReflectorMachine(ReflectorPlan plan);

  // Processes an input and returns the next step. The first input must be Started. An input that
  // does not fit the present state is a bug of the caller.
  ReflectorStep Step(const ReflectorInput& input);

  const api::meta::v1::ListOptions& options() const { return options_; }
  absl::Duration wait() const { return wait_; }
  const std::string& resource_version() const { return last_version_; }

  const ReflectorStatus& status() const { return status_; }
  ReflectorCounters& counters() { return status_.counters; }

 private:
  enum class AfterWait { kCycle, kWatchList, kWatch };

  ReflectorStep On(const Started& input);
  ReflectorStep On(const PageListed& input);
  ReflectorStep On(const WatchOpened& input);
  ReflectorStep On(const EventCame& input);
  ReflectorStep On(const WatchEnded& input);
  ReflectorStep On(const Failed& input);
  ReflectorStep On(const StoreFailed& input);
  ReflectorStep On(const Waited& input);
  ReflectorStep On(const Stopped& input);

  ReflectorStep StartCycle();
  ReflectorStep EndCycle(const absl::Status& error);
  ReflectorStep BackOff(const absl::Status& error, AfterWait then);
  ReflectorStep WaitFor(absl::Duration wait, const absl::Status& error, AfterWait then);
  ReflectorStep StartList(std::string resource_version);
  ReflectorStep OnListFailed(const absl::Status& error);
  ReflectorStep OpenWatchList();
  ReflectorStep OnWatchListEvent(const EventCame& event);
  ReflectorStep OnWatchListFailed(const absl::Status& error);
  ReflectorStep ListInstead(const absl::Status& error);
  ReflectorStep OpenWatch(ObjectsAction objects);
  ReflectorStep OnWatchFailed(const absl::Status& error);

  void Enter(ReflectorState state);
  void SetError(const absl::Status& error);
  // Returns the resource version to request for a list or watch-list; `first` is used if none is
  // known.
  std::string ListVersion(absl::string_view first) const;
  void MakeWatchOptions(std::string resource_version);
  bool RetriesInternalErrors();

  const ReflectorPlan plan_;
  base::BackoffManager backoff_;

  ReflectorStatus status_;
  api::meta::v1::ListOptions options_;
  absl::Duration wait_;
  AfterWait after_wait_ = AfterWait::kCycle;

  std::string last_version_;
  // The server has rejected last_version_, so that lists must not ask for it.
  bool version_unavailable_ = false;
  // The server has no watch cache for this resource: it sends pages although it may send
  // everything.
  bool paginated_ = false;

  // State of the present list.
  std::string list_version_;        // requested version
  std::string first_page_version_;  // version of the first page
  std::optional<pager::PagePlan> pages_;
  bool has_continued_ = false;
  bool relisted_ = false;

  // State of the present watch.
  bool opened_ = false;
  base::MonotonicTime opening_;
  int64_t events_ = 0;
  int short_watches_ = 0;  // number of consecutive short watches
  // Whether versions of events advance last_version_. Initial objects arrive in any order, so their
  // versions do not.
  bool versions_count_ = false;

  std::optional<base::MonotonicTime> first_internal_error_;
  base::MonotonicTime last_internal_error_;
};

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_REFLECTOR_MACHINE_H_
