#ifndef APISERVER_STORED_VIEW_H_
#define APISERVER_STORED_VIEW_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "apimachinery/base/mutex.h"
#include "apiserver/storage.h"

namespace kube::apiserver {

// A value that follows from the objects of some resources in a storage. It is made again by the
// first call after a write of one of them; all other calls share it. Thread-safe.
template <typename T>
class StoredView {
 public:
  using Make = std::function<std::shared_ptr<const T>(const Storage& storage)>;

  // `storage` must outlive this. It is not used before the first call of Get, so that objects that
  // are made later (Storage::CreateLater) are not made for nothing. `make` never returns null.
  StoredView(Storage& storage, std::vector<std::string> resources, Make make)
      : storage_(storage), resources_(std::move(resources)), make_(std::move(make)) {}

  // Returns the value after all writes that were complete when it was called. Never null. A client
  // whose write was answered is sure of it in its next request.
  std::shared_ptr<const T> Get() ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    for (size_t i = watches_.size(); i < resources_.size(); ++i) {
      watches_.push_back(storage_.Watch(resources_[i], "", [writes = writes_] { ++*writes; }));
    }
    // A write during `make_` increments the counter, so that the next call makes it again.
    const int64_t writes = writes_->load();
    if (made_at_.load() != writes) {
      value_ = make_(storage_);
      // Last: a thread that sees it may rely on what `make_` has set.
      made_at_.store(writes);
    }
    return value_;
  }

  // Returns whether nothing was written since the last call of Get. Takes no lock.
  bool IsCurrent() const { return made_at_.load() == writes_->load(); }

 private:
  Storage& storage_;
  const std::vector<std::string> resources_;
  const Make make_;
  // Counts the writes. Shared with the callbacks of the storage, which may run after this is
  // destroyed.
  const std::shared_ptr<std::atomic<int64_t>> writes_ = std::make_shared<std::atomic<int64_t>>(0);
  // The value of `writes_` before `value_` was made; -1 before the first call.
  std::atomic<int64_t> made_at_ = -1;

  base::Mutex mutex_;
  std::vector<std::shared_ptr<void>> watches_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<const T> value_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::apiserver

#endif  // APISERVER_STORED_VIEW_H_
