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
  // How many changes of each resource are kept, for watches and lists that want to see the past.
  // The oldest go first. Default: 10,000.
  size_t max_changes = 10'000;
};

// What happened to one object at one revision.
struct Change {
  int64_t revision = 0;
  std::string key = {};
  // Null: it was created.
  ObjectPtr before = {};
  // What it is now; of one that was deleted, what it was last, with the revision of its deletion.
  ObjectPtr after = {};
  bool deleted = false;
};
using ChangePtr = std::shared_ptr<const Change>;

// What of a resource to list.
struct ListQuery {
  // Keys begin with it. Default: all.
  std::string prefix = {};
  // As it was then. Zero, the default: as it is now.
  int64_t revision = 0;
  // Keys come after it, or are it. Default: from the first.
  std::string from = {};
  // So many at most. Zero, the default: all.
  size_t limit = 0;
};

struct ListItem {
  std::string key = {};
  ObjectPtr object = {};
};

struct ListResult {
  std::vector<ListItem> items = {};  // by key
  int64_t revision = 0;              // what they are a picture of
  size_t remaining = 0;              // how many more the limit left out
};

// Objects that are made when they are first looked at; see Storage::CreateLater.
struct LaterObjects {
  std::string resource = {};
  // How many revisions they get. No more objects may be made; of fewer, the last ones stay unused.
  size_t at_most = 0;
  // Makes all of them, with their keys, in the order of their revisions. Runs with the storage's
  // lock held, and so must not call the storage.
  std::function<std::vector<std::pair<std::string, Object>>()> make = {};
};

struct ChangesResult {
  std::vector<ChangePtr> changes = {};  // ascending
  // Nothing happened after the last of them up to this one.
  int64_t revision = 0;
};

// The memory of an API server: the objects of each resource by their keys, every change for a
// while, and one counter of revisions over all. What etcd and the watch cache are to a real one. It
// knows nothing of HTTP, and of objects only that their metadata has a resourceVersion.
//
// A resource is any text; so is a key, but lists and prefixes go by its bytes. Consistent: a list
// is of one revision, and the changes after it are exactly what happened since.
//
// Watching is pulling: Watch tells that something has changed, ChangesAfter says what. So there is
// no queue for each watch; who is slower than the history is long gets OUT_OF_RANGE.
//
// Thread-safe. No threads; callbacks run on the thread that writes, after the change can be seen
// and without a lock held.
class Storage {
 public:
  explicit Storage(StorageOptions options = {});
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  // The last one used. Each change has the next.
  int64_t revision() const;

  // ALREADY_EXISTS.
  absl::StatusOr<ObjectPtr> Create(absl::string_view resource, absl::string_view key,
                                   Object object);
  // Creates objects of which nothing is to be known until somebody asks for their resource: they
  // get the next `at_most` revisions now, and are made by the first call that names the resource.
  // The resource must not have been used before.
  void CreateLater(LaterObjects objects);
  // Only if it still has this revision. NOT_FOUND, or ABORTED: read it again.
  absl::StatusOr<ObjectPtr> Update(absl::string_view resource, absl::string_view key,
                                   int64_t expected_revision, Object object);
  // The same; watchers see `last` as what was deleted. Returns it.
  absl::StatusOr<ObjectPtr> Delete(absl::string_view resource, absl::string_view key,
                                   int64_t expected_revision, Object last);

  // Null: it is not there.
  ObjectPtr Get(absl::string_view resource, absl::string_view key) const;

  // OUT_OF_RANGE: the revision is forgotten. FAILED_PRECONDITION: it has not come yet.
  absl::StatusOr<ListResult> List(absl::string_view resource, const ListQuery& query) const;
  // How many keys there are now.
  size_t Count(absl::string_view resource, absl::string_view prefix) const;

  // The changes of a resource after a revision, oldest first, at most `limit`. A revision that has
  // not come yet: none. OUT_OF_RANGE: some are forgotten.
  absl::StatusOr<ChangesResult> ChangesAfter(absl::string_view resource, int64_t revision,
                                             size_t limit) const;
  // The first revision whose changes are all kept, and which can be listed.
  int64_t OldestRevision(absl::string_view resource) const;

  // Forgets all changes up to this revision, which is the oldest that can be asked for afterwards.
  void Compact(int64_t revision);

  // Calls `changed` after each change of a key that begins with `prefix`, until the result is
  // destroyed; a call on its way may still come then. It must not block.
  using Callback = std::function<void()>;
  [[nodiscard]] std::shared_ptr<void> Watch(absl::string_view resource, absl::string_view prefix,
                                            Callback changed);
  // Calls `reached` once as soon as the counter has reached `revision`: at once if it has.
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
    int64_t oldest = 0;             // as OldestRevision
    // Replaced, never changed: who notifies reads it without the lock.
    std::shared_ptr<const Watchers> watchers;
    // Until they are made: the first of their revisions, and what makes them.
    int64_t first_later = 0;
    LaterObjects later;
  };

  void MakeLater(Resource& resource) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Resource& ResourceOf(absl::string_view name) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  const Resource* FindResource(absl::string_view name) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Adds the change to the history, which forgets the oldest ones.
  void AddChange(Resource& resource, ChangePtr change) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The same; returns what to call about it.
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
  // Mutable: who reads may be the first to look at a resource.
  mutable std::map<std::string, Resource, std::less<>> resources_ ABSL_GUARDED_BY(mutex_);
  std::multimap<int64_t, std::weak_ptr<const Watcher>> waiting_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::apiserver

#endif  // APISERVER_STORAGE_H_
