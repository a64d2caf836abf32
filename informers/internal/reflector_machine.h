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

// ---- what has happened

struct Started {};
// A list, or a page of one, is complete.
struct PageListed {
  std::string resource_version = {};
  std::string continue_token = {};
};
struct WatchOpened {};
// An event other than an error.
struct EventCame {
  watch::EventType type = watch::EventType::kAdded;
  absl::string_view resource_version = {};
  // A bookmark that says that all objects have come.
  bool ends_initial_events = false;
};
// The watch has ended, and nothing is wrong.
struct WatchEnded {};
// What was to be done, or the watch, has failed.
struct Failed {
  absl::Status error = {};
};
// The objects could not be handed over.
struct StoreFailed {
  absl::Status error = {};
};
// The wait is over.
struct Waited {};
struct Stopped {};

using ReflectorInput = std::variant<Started, PageListed, WatchOpened, EventCame, WatchEnded, Failed,
                                    StoreFailed, Waited, Stopped>;

// ---- what is to be done: first with objects, then next

enum class ObjectsAction {
  kNone,
  kForget,    // those that were collected are of no use
  kCollect,   // the event's belongs to them, or, if it was deleted, does no more
  kReplace,   // those collected are all there are, as of resource_version(): hand them over
  kApply,     // hand the event over
  kBookmark,  // hand over that the objects are as of resource_version()
};

enum class ReflectorTask {
  kList,       // with options(), collecting the objects
  kOpenWatch,  // with options()
  kReadWatch,  // one event
  kWait,       // as long as wait()
  kEnd,
};

struct ReflectorStep {
  ObjectsAction objects = ObjectsAction::kNone;
  ReflectorTask task = ReflectorTask::kEnd;
  friend bool operator==(const ReflectorStep&, const ReflectorStep&) = default;
};

// How a reflector is to go about it; ReflectorOptions explains.
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

// The protocol of a reflector: to list and then watch, or to list by watching; what to do about
// each error; from which resource version to go on. It does nothing itself, blocks nowhere and
// knows no object; of the Runtime it takes the time and random numbers. (what list, watchList,
// watch and ListAndWatch of client-go's reflector.go do between them)
//
//   kNotStarted -> kWatchListing -> kWatching     a watch-list, and its watch goes on
//               -> kListing      -> kWatching     a list in pages, then a watch
//   kWatchListing -> kListing                     the server has no watch-lists, or it failed
//   kWatching -> kWatching                        the watch has ended: another, from where it was
//   any -> kBackingOff -> kWatching               no connection, 429: the same watch again
//                      -> kWatchListing, kListing all else, 410 too: list anew
//
// Thread-compatible.
class ReflectorMachine {
 public:
  explicit ReflectorMachine(ReflectorPlan plan);

  // The first input is Started. Whatever does not fit the state is a mistake of the driver.
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
  // Of a list, or a watch-list: "0", or "", is what a first one asks for.
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
  // Nothing can be listed or watched at last_version_.
  bool version_unavailable_ = false;
  // The server has no cache of this resource, and gives pages where it could give all.
  bool paginated_ = false;

  // Of a list.
  std::string list_version_;        // what was asked for
  std::string first_page_version_;  // what the first page said
  std::optional<pager::PagePlan> pages_;
  bool has_continued_ = false;
  bool relisted_ = false;

  // Of a watch.
  bool opened_ = false;
  base::MonotonicTime opening_;
  int64_t events_ = 0;
  int short_watches_ = 0;  // one after the other
  // Versions of events count: they are not those of objects that there were already, which come in
  // any order.
  bool versions_count_ = false;

  std::optional<base::MonotonicTime> first_internal_error_;
  base::MonotonicTime last_internal_error_;
};

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_REFLECTOR_MACHINE_H_
