#ifndef ENVTEST_WORKLOADS_INTERNAL_CLUSTER_MIRROR_H_
#define ENVTEST_WORKLOADS_INTERNAL_CLUSTER_MIRROR_H_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/workloads/internal/cluster/pods.h"

namespace kube::envtest::internal {

// Returns zero if the version is not a number. Only for comparing two versions of one resource.
inline uint64_t RevisionOf(const api::meta::v1::ObjectMeta& metadata) {
  uint64_t revision = 0;
  return absl::SimpleAtoi(metadata.resource_version.view(), &revision) ? revision : 0;
}

// The objects of one resource, as seen by a watch and as written through this object. A reader
// therefore sees its own writes, and needs none of the expectations that Kubernetes' controllers
// maintain.
//
// The response to a write is used if the watch has not reached its version yet. A deleted object is
// hidden until the watch shows what happened to it. Resource versions of one resource are compared
// as numbers, which Kubernetes 1.35 and later allow.
//
// Thread-safe. Callbacks are called without a lock.
template <ApiStruct T, ApiStruct ListT>
class Mirror {
 public:
  using Client = typed::TypedClient<T, ListT>;

  // `changed` is called whenever the result of All() may have changed.
  Mirror(const rest::Client& client, const typed::Resource& resource, std::function<void()> changed)
      : client_(client, resource), plural_(resource.plural), changed_(std::move(changed)) {}

  // Lists and watches until `ctx` is done, and starts again after errors. Blocks.
  void Run(const Context& ctx) {
    while (!ctx.done()) {
      const absl::Status status = ListAndWatch(ctx);
      if (!ctx.done()) {
        KUBE_VLOG(2, "failed to list and watch", {"resource", plural_},
                  {"err", std::string(status.message())});
      }
      base::SleepFor(ctx, kPause).IgnoreError();
    }
  }

  // Returns whether the first list is complete.
  bool synced() const {
    base::MutexLock lock(mutex_);
    return synced_;
  }

  // Returns all objects, sorted by namespace and name.
  Objects<T> All() const {
    Objects<T> all;
    base::MutexLock lock(mutex_);
    for (const auto& [key, object] : objects_) {
      if (removed_.count(std::string(object->metadata.uid)) == 0) all.push_back(object);
    }
    return all;
  }

  // Returns the objects that were deleted through this and of which the watch has not shown more
  // yet.
  Objects<T> Hidden() const {
    Objects<T> hidden;
    base::MutexLock lock(mutex_);
    for (const auto& [key, object] : objects_) {
      if (removed_.count(std::string(object->metadata.uid)) != 0) hidden.push_back(object);
    }
    return hidden;
  }

  const Client& client() const { return client_; }

  // ---- writes of the client, in the object's namespace

  absl::Status Create(const Context& ctx, const T& object) {
    return CreateNamed(ctx, object).status();
  }
  // Returns the name of the new object, which the server may have generated.
  absl::StatusOr<std::string> CreateNamed(const Context& ctx, const T& object) {
    absl::StatusOr<T> created = In(object).Create(ctx, object);
    KUBE_RETURN_IF_ERROR(created.status());
    std::string name(created->metadata.name);
    KUBE_RETURN_IF_ERROR(Wrote(std::move(created)));
    return name;
  }
  absl::Status Update(const Context& ctx, const T& object) {
    return Wrote(In(object).Update(ctx, object));
  }
  absl::Status UpdateStatus(const Context& ctx, const T& object) {
    return Wrote(In(object).UpdateStatus(ctx, object));
  }
  // Deletes exactly this object, not another one that has its name by now.
  absl::Status Delete(const Context& ctx, const T& object,
                      api::meta::v1::DeleteOptions options = {}) {
    options.preconditions.emplace().uid = object.metadata.uid;
    KUBE_RETURN_IF_ERROR(In(object).Delete(ctx, object.metadata.name.view(), options));
    {
      base::MutexLock lock(mutex_);
      const auto found = objects_.find(KeyOf(object));
      // The watch may have shown the deletion already.
      if (found != objects_.end() && found->second->metadata.uid == object.metadata.uid &&
          !found->second->metadata.deletion_timestamp.has_value()) {
        removed_.insert(std::string(object.metadata.uid));
      }
    }
    changed_();
    return absl::OkStatus();
  }

 private:
  // Pause before a watch or a list is retried.
  static constexpr absl::Duration kPause = absl::Milliseconds(100);

  static std::string KeyOf(const T& object) {
    return absl::StrCat(object.metadata.namespace_.view(), "/", object.metadata.name.view());
  }
  Client In(const T& object) const { return client_.Namespace(object.metadata.namespace_.view()); }

  absl::Status Wrote(absl::StatusOr<T> answer) {
    KUBE_RETURN_IF_ERROR(answer.status());
    bool changed = false;
    {
      base::MutexLock lock(mutex_);
      if (RevisionOf(answer->metadata) > seen_) {
        changed = Put(std::make_shared<const T>(*std::move(answer)));
      }
    }
    // A write without a change wakes nobody; the writer would otherwise repeat it forever.
    if (changed) changed_();
    return absl::OkStatus();
  }

  // Stores the object if it is newer than the present one, and returns whether it was.
  bool Put(std::shared_ptr<const T> object) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    std::shared_ptr<const T>& place = objects_[KeyOf(*object)];
    if (place != nullptr && RevisionOf(place->metadata) >= RevisionOf(object->metadata)) {
      return false;
    }
    place = std::move(object);
    return true;
  }

  absl::Status ListAndWatch(const Context& ctx) {
    KUBE_ASSIGN_OR_RETURN(auto page, client_.ListPage(ctx));
    std::string version(page.list.metadata.resource_version);
    {
      base::MutexLock lock(mutex_);
      std::map<std::string, std::shared_ptr<const T>> before;
      before.swap(objects_);
      removed_.clear();
      if (!absl::SimpleAtoi(version, &seen_)) seen_ = 0;
      for (auto& item : page.items) Put(std::move(item));
      // Keeps objects that were written after the list.
      for (auto& [key, object] : before) {
        if (RevisionOf(object->metadata) > seen_) Put(std::move(object));
      }
      synced_ = true;
    }
    changed_();
    while (true) {
      KUBE_ASSIGN_OR_RETURN(
          const std::unique_ptr<watch::Watcher<T>> watcher,
          client_.Watch(ctx, {.allow_watch_bookmarks = true, .resource_version = version}));
      while (true) {
        KUBE_ASSIGN_OR_RETURN(std::optional<watch::Event<T>> event, watcher->Next(ctx));
        if (!event.has_value()) break;
        if (event->type == watch::EventType::kError) return event->error;
        version = std::string(event->object->metadata.resource_version);
        Apply(*std::move(event));
      }
      KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, kPause));
    }
  }

  void Apply(watch::Event<T> event) {
    {
      base::MutexLock lock(mutex_);
      seen_ = std::max(seen_, RevisionOf(event.object->metadata));
      if (event.type == watch::EventType::kBookmark) return;
      const std::string uid(event.object->metadata.uid);
      const bool deleted = event.type == watch::EventType::kDeleted;
      if (deleted || event.object->metadata.deletion_timestamp.has_value()) removed_.erase(uid);
      if (deleted) {
        const auto found = objects_.find(KeyOf(*event.object));
        if (found != objects_.end() && found->second->metadata.uid == uid) objects_.erase(found);
      } else {
        Put(std::move(event.object));
      }
    }
    changed_();
  }

  const Client client_;
  const std::string plural_;
  const std::function<void()> changed_;

  mutable base::Mutex mutex_;
  bool synced_ ABSL_GUARDED_BY(mutex_) = false;
  // The version that the watch has reached.
  uint64_t seen_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<std::string, std::shared_ptr<const T>> objects_ ABSL_GUARDED_BY(mutex_);
  std::set<std::string> removed_ ABSL_GUARDED_BY(mutex_);  // UIDs
};

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_CLUSTER_MIRROR_H_
