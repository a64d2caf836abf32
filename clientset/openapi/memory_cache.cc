#include "clientset/openapi/memory_cache.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "clientset/openapi/internal/fetched.h"
#include "clientset/openapi/openapi.h"

namespace kube::openapi {
namespace {

// Documents by their media types. Thread-safe.
class Documents {
 public:
  // Returns the entry of a media type. It lives on after Clear as long as somebody holds it.
  std::shared_ptr<internal::Fetched<Document>> At(absl::string_view content_type)
      ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    std::shared_ptr<internal::Fetched<Document>>& entry = entries_[std::string(content_type)];
    if (entry == nullptr) entry = std::make_shared<internal::Fetched<Document>>();
    return entry;
  }

  void Clear() ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    entries_.clear();
  }

 private:
  base::Mutex mutex_;
  std::map<std::string, std::shared_ptr<internal::Fetched<Document>>> entries_
      ABSL_GUARDED_BY(mutex_);
};

class CachedGroupVersion final : public GroupVersion {
 public:
  explicit CachedGroupVersion(std::shared_ptr<const GroupVersion> delegate)
      : delegate_(std::move(delegate)) {}

  absl::StatusOr<Document> Schema(const Context& ctx,
                                  absl::string_view content_type) const override {
    return documents_.At(content_type)->Get(ctx, [&] {
      return delegate_->Schema(ctx, content_type);
    });
  }

  const std::string& ServerRelativeUrl() const override { return delegate_->ServerRelativeUrl(); }

 private:
  const std::shared_ptr<const GroupVersion> delegate_;
  mutable Documents documents_;
};

}  // namespace

struct MemoryCache::State {
  internal::Fetched<GroupVersions> paths;
  Documents v2;
};

MemoryCache::MemoryCache(std::shared_ptr<OpenApi> delegate)
    : delegate_(std::move(delegate)), state_(std::make_unique<State>()) {}

MemoryCache::~MemoryCache() = default;

absl::StatusOr<GroupVersions> MemoryCache::Paths(const Context& ctx) const {
  return state_->paths.Get(ctx, [&]() -> absl::StatusOr<GroupVersions> {
    KUBE_ASSIGN_OR_RETURN(const GroupVersions fetched, delegate_->Paths(ctx));
    GroupVersions cached;
    for (const auto& [name, version] : fetched) {
      cached[name] = std::make_shared<const CachedGroupVersion>(version);
    }
    return cached;
  });
}

absl::StatusOr<Document> MemoryCache::SchemaV2(const Context& ctx,
                                               absl::string_view content_type) const {
  return state_->v2.At(content_type)->Get(ctx, [&] {
    return delegate_->SchemaV2(ctx, content_type);
  });
}

void MemoryCache::Invalidate() {
  // The delegate first: what another thread fetches of it before it has forgotten is dropped here.
  delegate_->Invalidate();
  state_->paths.Forget();
  state_->v2.Clear();
}

}  // namespace kube::openapi
