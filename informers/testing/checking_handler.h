#ifndef INFORMERS_TESTING_CHECKING_HANDLER_H_
#define INFORMERS_TESTING_CHECKING_HANDLER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/meta/object_access.h"
#include "apimachinery/meta/object_name.h"
#include "informers/event_handler.h"
#include "informers/testing/test_trouble.h"
#include "listers/indexer.h"

namespace kube::informers {

// A handler that checks what it is told: for each object an add, updates from the state it saw
// last, and a delete, each with a later version; never an event that the store does not reflect
// yet, and none after its removal. Thread-safe. Must outlive the handler.
template <typename T>
class CheckingHandler {
 public:
  // `slow`: some calls take a random time up to this.
  explicit CheckingHandler(std::shared_ptr<const listers::Indexer<T>> store,
                           absl::Duration slow = absl::ZeroDuration())
      : store_(std::move(store)), slow_(slow) {}

  EventHandler<T> Handler() {
    return {.on_add = [this](const AddEvent<T>& e) { OnAdd(e); },
            .on_update = [this](const UpdateEvent<T>& e) { OnUpdate(e); },
            .on_delete = [this](const DeleteEvent<T>& e) { OnDelete(e); }};
  }

  void SetRemoved() {
    base::MutexLock lock(mutex_);
    removed_ = true;
  }

  // Returns DATA_LOSS if the handler was told something that must not happen.
  absl::Status mistake() const {
    base::MutexLock lock(mutex_);
    return mistake_.empty() ? absl::OkStatus() : absl::DataLossError(mistake_);
  }
  // Returns the versions of the objects it knows, such as "default/a" -> "17".
  std::map<std::string, std::string> Versions() const {
    base::MutexLock lock(mutex_);
    std::map<std::string, std::string> versions;
    for (const auto& [key, known] : known_) versions[key] = absl::StrCat(known.version);
    return versions;
  }

 private:
  struct Known {
    int64_t version = 0;
    std::string uid = {};
  };

  static Known KnownOf(const T& object) {
    Known known = {.uid = std::string(meta::kObjectAccess<T>.uid(&object))};
    if (!absl::SimpleAtoi(meta::kObjectAccess<T>.resource_version(&object), &known.version)) {
      known.version = -1;
    }
    return known;
  }

  void OnAdd(const AddEvent<T>& event) {
    Check("add", *event.object,
          [&](const std::string& key, const Known& now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
            Require(!known_.contains(key), "an add of what it knows");
            Require(now.version > last_[key], "an add of what was deleted");
            known_[key] = now;
          });
  }
  void OnUpdate(const UpdateEvent<T>& event) {
    Check("update", *event.object,
          [&](const std::string& key, const Known& now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
            const Known old = KnownOf(*event.old_object);
            const auto it = known_.find(key);
            if (!Require(it != known_.end(), "an update of what it does not know")) return;
            Require(old.version == it->second.version, "an update from what it was not told");
            Require(event.is_resync ? now.version == old.version : now.version > old.version,
                    "an update to an older version");
            Require(event.is_recreated == (now.uid != old.uid), "is_recreated is wrong");
            it->second = now;
          });
  }
  void OnDelete(const DeleteEvent<T>& event) {
    Check("delete", *event.object,
          [&](const std::string& key, const Known& now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
            const auto it = known_.find(key);
            if (!Require(it != known_.end(), "a delete of what it does not know")) return;
            Require(KnownOf(*event.old_object).version == it->second.version,
                    "a delete from what it was not told");
            Require(event.final_state_unknown ? now.version >= it->second.version
                                              : now.version > it->second.version,
                    "a delete of an older version");
            known_.erase(it);
          });
  }

  template <typename Function>
  void Check(absl::string_view what, const T& object, Function check) {
    const std::string key = meta::MetaNamespaceKey(object);
    const Known now = KnownOf(object);
    {
      base::MutexLock lock(mutex_);
      context_ = absl::StrCat(what, " of ", key, " at ", now.version);
      Require(!removed_, "a call after the removal");
      check(key, now);
      last_[key] = now.version;
    }
    const std::shared_ptr<const T> stored = store_->GetByKey(key);
    if (stored != nullptr && KnownOf(*stored).version < now.version) {
      base::MutexLock lock(mutex_);
      Require(false, "the store is behind");
    }
    if (slow_ > absl::ZeroDuration() && Chance(10)) {
      base::SleepFor(Context(), UpTo(slow_)).IgnoreError();
    }
  }

  bool Require(bool condition, absl::string_view what) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (!condition && mistake_.empty()) mistake_ = absl::StrCat(context_, ": ", what);
    return condition;
  }

  const std::shared_ptr<const listers::Indexer<T>> store_;
  const absl::Duration slow_;

  mutable base::Mutex mutex_;
  std::map<std::string, Known> known_ ABSL_GUARDED_BY(mutex_);
  // Last versions, including those of deleted objects.
  std::map<std::string, int64_t> last_ ABSL_GUARDED_BY(mutex_);
  std::string context_ ABSL_GUARDED_BY(mutex_);
  std::string mistake_ ABSL_GUARDED_BY(mutex_);
  bool removed_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace kube::informers

#endif  // INFORMERS_TESTING_CHECKING_HANDLER_H_
