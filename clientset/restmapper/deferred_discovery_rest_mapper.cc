#include "clientset/restmapper/deferred_discovery_rest_mapper.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/restmapper/errors.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/restmapper/discovery_rest_mapper.h"

namespace kube::restmapper {

absl::StatusOr<DeferredDiscoveryRestMapper::Built> DeferredDiscoveryRestMapper::Get(
    const Context& ctx) const {
  uint64_t generation = 0;
  {
    base::MutexLock lock(mutex_);
    if (built_.mapper != nullptr) return built_;
    generation = generation_;
  }
  // Several threads may get here; the cache below lets one of them ask the server.
  Built built = {.mapper = nullptr, .at = base::Now()};
  KUBE_ASSIGN_OR_RETURN(const std::vector<ApiGroupResources> groups,
                        GetApiGroupResources(ctx, *discovery_));
  built.mapper = NewDiscoveryRestMapper(groups);
  base::MutexLock lock(mutex_);
  if (generation == generation_) built_ = built;
  return built;
}

bool DeferredDiscoveryRestMapper::Renew(const Context& ctx, const Built& built,
                                        const absl::Status& error) const {
  const bool old = IsNoMatch(error) && options_.negative_ttl != absl::InfiniteDuration() &&
                   base::Now() - built.at >= options_.negative_ttl;
  if (!old && discovery_->Fresh()) return false;
  {
    base::MutexLock lock(mutex_);
    // Another thread has replaced the mapper already: its result is new enough.
    if (built_.mapper != built.mapper) return true;
  }
  KUBE_VLOG_CTX(ctx, 5, "invalidating discovery information");
  discovery_->Invalidate();
  base::MutexLock lock(mutex_);
  if (built_.mapper == built.mapper) built_ = {};
  ++generation_;
  return true;
}

// Invalidates the cache first: a thread that builds a mapper in between may read old answers, but
// does so under the old generation, so its mapper is not kept.
void DeferredDiscoveryRestMapper::Reset() {
  discovery_->Invalidate();
  base::MutexLock lock(mutex_);
  built_ = {};
  ++generation_;
}

template <typename R, typename Ask>
absl::StatusOr<R> DeferredDiscoveryRestMapper::Try(const Context& ctx, Ask ask) const {
  KUBE_ASSIGN_OR_RETURN(Built built, Get(ctx));
  absl::StatusOr<R> answer = ask(*built.mapper);
  if (answer.ok() || !Renew(ctx, built, answer.status())) return answer;
  KUBE_ASSIGN_OR_RETURN(built, Get(ctx));
  return ask(*built.mapper);
}

absl::StatusOr<schema::GroupVersionKind> DeferredDiscoveryRestMapper::KindFor(
    const Context& ctx, const schema::GroupVersionResource& partial) const {
  return Try<schema::GroupVersionKind>(
      ctx, [&](const RestMapper& mapper) { return mapper.KindFor(ctx, partial); });
}

absl::StatusOr<std::vector<schema::GroupVersionKind>> DeferredDiscoveryRestMapper::KindsFor(
    const Context& ctx, const schema::GroupVersionResource& partial) const {
  return Try<std::vector<schema::GroupVersionKind>>(
      ctx, [&](const RestMapper& mapper) { return mapper.KindsFor(ctx, partial); });
}

absl::StatusOr<schema::GroupVersionResource> DeferredDiscoveryRestMapper::ResourceFor(
    const Context& ctx, const schema::GroupVersionResource& partial) const {
  return Try<schema::GroupVersionResource>(
      ctx, [&](const RestMapper& mapper) { return mapper.ResourceFor(ctx, partial); });
}

absl::StatusOr<std::vector<schema::GroupVersionResource>> DeferredDiscoveryRestMapper::ResourcesFor(
    const Context& ctx, const schema::GroupVersionResource& partial) const {
  return Try<std::vector<schema::GroupVersionResource>>(
      ctx, [&](const RestMapper& mapper) { return mapper.ResourcesFor(ctx, partial); });
}

absl::StatusOr<RestMapping> DeferredDiscoveryRestMapper::RestMappingFor(
    const Context& ctx, const schema::GroupKind& kind,
    absl::Span<const std::string> versions) const {
  return Try<RestMapping>(
      ctx, [&](const RestMapper& mapper) { return mapper.RestMappingFor(ctx, kind, versions); });
}

absl::StatusOr<std::vector<RestMapping>> DeferredDiscoveryRestMapper::RestMappingsFor(
    const Context& ctx, const schema::GroupKind& kind,
    absl::Span<const std::string> versions) const {
  return Try<std::vector<RestMapping>>(
      ctx, [&](const RestMapper& mapper) { return mapper.RestMappingsFor(ctx, kind, versions); });
}

absl::StatusOr<std::string> DeferredDiscoveryRestMapper::ResourceSingularizer(
    const Context& ctx, absl::string_view resource) const {
  return Try<std::string>(
      ctx, [&](const RestMapper& mapper) { return mapper.ResourceSingularizer(ctx, resource); });
}

}  // namespace kube::restmapper
