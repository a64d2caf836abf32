#ifndef APISERVER_STORAGE_H_
#define APISERVER_STORAGE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"
#include "apiserver/object.h"

namespace kube::apiserver {

struct StorageOptions {
  // Maximum number of changes kept for each resource, for watches and for lists of older revisions.
  // The oldest are dropped. Default: 10,000.
  size_t max_changes = 10'000;
};

// What happened to one object at one revision.
struct Change {
  int64_t revision = 0;
  std::string key = {};
  // Null if the object was created.
  ObjectPtr before = {};
  // The new object. For a deletion, the object as it was last, with the revision of the deletion.
  ObjectPtr after = {};
  bool deleted = false;
};
using ChangePtr = std::shared_ptr<const Change>;

// Selects the objects of a list.
struct ListQuery {
  // Only keys that begin with it. Default: all.
  std::string prefix = {};
  // Lists the state at this revision. Default: 0, the latest.
  int64_t revision = 0;
  // Only keys that are not less than it. Default: all.
  std::string from = {};
  // Maximum number of items. Default: 0, no limit.
  size_t limit = 0;
};

struct ListItem {
  std::string key = {};
  ObjectPtr object = {};
};

struct ListResult {
  std::vector<ListItem> items = {};  // sorted by key
  int64_t revision = 0;              // the revision that was listed
  size_t remaining = 0;              // number of items left out by the limit
};

// Objects that are made when they are first read; see Storage::CreateLater.
struct LaterObjects {
  std::string resource = {};
  // How many revisions to reserve for them. `make` must not return more objects; if it returns
  // fewer, the last revisions stay unused.
  size_t at_most = 0;
  // Returns all objects with their keys, in the order of their revisions. It is called with the
  // storage's lock held, and therefore must not call the storage.
  std::function<std::vector<std::pair<std::string, Object>>()> make = {};
};

struct ChangesResult {
  std::vector<ChangePtr> changes = {};  // ascending by revision
  // The revision up to which `changes` is complete.
  int64_t revision = 0;
};

// The memory of an API server, in place of etcd and the watch cache of a real one: the objects of
// each resource by key, the latest changes, and one revision counter for all. It does not know
// HTTP, and of an object it only uses the metadata's resourceVersion.
//
// Resources and keys are arbitrary texts; keys are ordered by bytes. Storage is consistent: a list
// shows the state at one revision, and the changes after that revision are exactly those that
// followed.
//
// Watches pull: Watch tells that something has changed, ChangesAfter returns the changes. So there
// is no queue for each watch; a watch that falls behind the history gets OUT_OF_RANGE.
//
// Thread-safe. It has no threads. Callbacks run on the writing thread, when the change is already
// visible, and without a lock held.
class Storage {
 public:
  explicit Storage(StorageOptions options = {});
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  // Returns the latest revision. Each change increments it.
  int64_t revision() const;

  // Stores a new object and returns it as stored. Returns ALREADY_EXISTS if the key is in use.
  absl::StatusOr<ObjectPtr> Create(absl::string_view resource, absl::string_view key,
                                   Object object);
  // Creates objects that are made only when their resource is first used: they get the next
  // `at_most` revisions now, and the first call that names the resource makes them. The resource
  // must not have been used before (a CHECK).
  void CreateLater(LaterObjects objects);
  // Replaces an object and returns it as stored. Returns NOT_FOUND if the key does not exist, and
  // ABORTED if the object is no longer at `expected_revision`; read it again then.
  absl::StatusOr<ObjectPtr> Update(absl::string_view resource, absl::string_view key,
                                   int64_t expected_revision, Object object);
  // Deletes an object, with the errors of Update. `last` is what watches see as the deleted object;
  // it is returned with the revision of the deletion.
  absl::StatusOr<ObjectPtr> Delete(absl::string_view resource, absl::string_view key,
                                   int64_t expected_revision, Object last);

  // Returns null if the key does not exist.
  ObjectPtr Get(absl::string_view resource, absl::string_view key) const;

  // Returns OUT_OF_RANGE if the revision is no longer kept, and FAILED_PRECONDITION if it is in the
  // future.
  absl::StatusOr<ListResult> List(absl::string_view resource, const ListQuery& query) const;
  // Returns the current number of keys with the prefix.
  size_t Count(absl::string_view resource, absl::string_view prefix) const;

  // Returns at most `limit` changes of a resource after `revision`, oldest first; none if
  // `revision` is in the future. Returns OUT_OF_RANGE if some of them are no longer kept.
  absl::StatusOr<ChangesResult> ChangesAfter(absl::string_view resource, int64_t revision,
                                             size_t limit) const;
  // Returns the oldest revision that can be listed, and after which all changes are kept.
  int64_t OldestRevision(absl::string_view resource) const;

  // Drops all changes up to `revision`, which becomes the oldest that can be listed.
  void Compact(int64_t revision);

  // Calls `changed` after each change of a key that begins with `prefix`, until the result is
  // destroyed. A call that has started may still run then. `changed` must not block.
  using Callback = std::function<void()>;
  [[nodiscard]] std::shared_ptr<void> Watch(absl::string_view resource, absl::string_view prefix,
                                            Callback changed);
  // Calls `reached` once as soon as the latest revision is at least `revision`, or before this
  // returns if it already is. Destroying the result cancels the call.
  [[nodiscard]] std::shared_ptr<void> AtRevision(int64_t revision, Callback reached);

 private:
  struct Watcher {
    std::string prefix;
    Callback changed;
  };
  using Watchers = std::vector<std::weak_ptr<const Watcher>>;
  struct Resource {
    std::map<std::string, ObjectPtr, std::less<>> objects;
    std::deque<ChangePtr> changes;  // ascending by revision
    int64_t oldest = 0;             // see OldestRevision
    // Replaced as a whole, never modified, so that it can be read without the lock.
    std::shared_ptr<const Watchers> watchers;
    // Set until the objects of CreateLater are made: their first revision, and how to make them.
    int64_t first_later = 0;
    LaterObjects later;
  };

  void MakeLater(Resource& resource) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Resource& ResourceOf(absl::string_view name) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  const Resource* FindResource(absl::string_view name) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Appends a change to the history, and drops the oldest changes beyond the limit.
  void AddChange(Resource& resource, ChangePtr change) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Does the same, and returns the callbacks of AtRevision that are now due.
  std::vector<Callback> Record(Resource& resource, ChangePtr change)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  static void Notify(const Watchers* watchers, absl::string_view key);

  struct Written {
    ObjectPtr object;
    std::shared_ptr<const Watchers> watchers;
    std::vector<Callback> reached;
  };
  absl::StatusOr<Written> Write(absl::string_view resource, absl::string_view key,
                                int64_t expected_revision, Object object, bool deletes);
  absl::StatusOr<ObjectPtr> WriteAndNotify(absl::string_view resource, absl::string_view key,
                                           int64_t expected_revision, Object object, bool deletes);

  const StorageOptions options_;
  mutable base::Mutex mutex_;
  int64_t revision_ ABSL_GUARDED_BY(mutex_) = 1;
  int64_t compacted_ ABSL_GUARDED_BY(mutex_) = 0;
  // Mutable because a read may be the first use of a resource, which makes its later objects.
  mutable std::map<std::string, Resource, std::less<>> resources_ ABSL_GUARDED_BY(mutex_);
  std::multimap<int64_t, std::weak_ptr<const Watcher>> waiting_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::apiserver

#endif  // APISERVER_STORAGE_H_
