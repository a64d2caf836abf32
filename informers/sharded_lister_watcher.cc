#include "informers/sharded_lister_watcher.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/meta/object_access.h"
#include "apimachinery/sharding/selector.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "informers/lister_watcher.h"

namespace kube::informers::internal {
namespace {

namespace metav1 = api::meta::v1;
using AnyEvent = watch::Event<void>;
using AnyWatcher = watch::Watcher<void>;

// How many events of other shards HasNext passes over. If a server sends many, the caller must come
// to handle those that it has.
constexpr int kMaxPassedOver = 100;

// Decides which objects are of a shard. Immutable.
struct Shard {
  bool Has(const void* object) const {
    return selector.Matches(access.uid(object), access.key(object).namespace_name);
  }

  sharding::Selector selector;
  meta::ObjectAccess access;
};

// Leaves out the events of objects of other shards.
class ShardedWatcher final : public AnyWatcher {
 public:
  ShardedWatcher(std::unique_ptr<AnyWatcher> source, std::shared_ptr<const Shard> shard)
      : source_(std::move(source)), shard_(std::move(shard)) {}

  absl::StatusOr<std::optional<AnyEvent>> Next(const Context& ctx) override {
    if (next_.has_value()) {
      absl::StatusOr<std::optional<AnyEvent>> next = *std::move(next_);
      next_.reset();
      return next;
    }
    while (true) {
      KUBE_ASSIGN_OR_RETURN(std::optional<AnyEvent> event, source_->Next(ctx));
      if (!event.has_value() || IsWanted(*event)) return event;
    }
  }

  // Takes events that have arrived from the source until one is wanted, because the source can only
  // say that it has one.
  bool HasNext() const override {
    for (int i = 0; i < kMaxPassedOver && !next_.has_value() && source_->HasNext(); ++i) {
      absl::StatusOr<std::optional<AnyEvent>> event = source_->Next(Context());
      const bool is_wanted = !event.ok() || !event->has_value() || IsWanted(**event);
      if (is_wanted) next_ = std::move(event);
    }
    return next_.has_value();
  }

  void Stop() override { source_->Stop(); }

 private:
  bool IsWanted(const AnyEvent& event) const {
    const bool is_of_object =
        event.type != watch::EventType::kBookmark && event.type != watch::EventType::kError;
    return !is_of_object || event.object == nullptr || shard_->Has(event.object.get());
  }

  const std::unique_ptr<AnyWatcher> source_;
  const std::shared_ptr<const Shard> shard_;
  // What HasNext has taken from the source.
  mutable std::optional<absl::StatusOr<std::optional<AnyEvent>>> next_;
};

class ShardedListerWatcher final : public ListerWatcher {
 public:
  ShardedListerWatcher(std::shared_ptr<ListerWatcher> source, std::shared_ptr<const Shard> shard)
      : source_(std::move(source)), shard_(std::move(shard)) {}

  absl::StatusOr<ListHeader> List(const Context& ctx, const metav1::ListOptions& options,
                                  OnObject on_object) override {
    return source_->List(ctx, OfShard(options), [&](std::shared_ptr<const void> object) {
      if (!shard_->Has(object.get())) return absl::OkStatus();
      return on_object(std::move(object));
    });
  }

  absl::StatusOr<std::unique_ptr<AnyWatcher>> Watch(const Context& ctx,
                                                    const metav1::ListOptions& options) override {
    KUBE_ASSIGN_OR_RETURN(std::unique_ptr<AnyWatcher> watcher,
                          source_->Watch(ctx, OfShard(options)));
    return std::make_unique<ShardedWatcher>(std::move(watcher), shard_);
  }

  std::string description() const override { return source_->description(); }
  void SetMetrics(const SourceMetrics& metrics) override { source_->SetMetrics(metrics); }

 private:
  metav1::ListOptions OfShard(metav1::ListOptions options) const {
    options.shard_selector = shard_->selector.ToString();
    return options;
  }

  const std::shared_ptr<ListerWatcher> source_;
  const std::shared_ptr<const Shard> shard_;
};

}  // namespace

std::shared_ptr<ListerWatcher> MakeShardedListerWatcher(std::shared_ptr<ListerWatcher> source,
                                                        sharding::Selector shard,
                                                        const meta::ObjectAccess& access) {
  return std::make_shared<ShardedListerWatcher>(
      std::move(source),
      std::make_shared<const Shard>(Shard{.selector = std::move(shard), .access = access}));
}

}  // namespace kube::informers::internal
