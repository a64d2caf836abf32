#include "controller/cache/cache.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/resource_traits.h"
#include "controller/cache/cache_options.h"
#include "controller/cache/internal/informer_pool.h"
#include "controller/cache/namespace_set.h"
#include "controller/cache/required_access.h"
#include "controller/cache/watched.h"
#include "controller/cache/watched_core.h"
#include "informers/lister_watcher.h"
#include "informers/shared_informer_options.h"

namespace kube::controller {

namespace metav1 = api::meta::v1;
using internal::InformerKey;
using internal::InformerPool;

namespace {

std::vector<std::string> Sorted(const std::vector<absl::string_view>& paths) {
  std::vector<std::string> sorted(paths.begin(), paths.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

// Returns what tells the metrics of this informer from those of others of the same resource; "" if
// it has all objects as a whole, in a cache without a name. Each part says what it is, so that a
// namespace and a selector with the same text are told apart.
std::string MetricsNameOf(absl::string_view cache, const InformerKey& key,
                          const internal::WatchedType& type) {
  std::vector<std::string> parts;
  const auto add = [&parts](absl::string_view what, absl::string_view value) {
    if (!value.empty()) parts.push_back(absl::StrCat(what, "=", value));
  };
  add("cache", cache);
  add("namespace", key.namespace_name);
  add("labels", key.label_selector);
  add("fields", key.field_selector);
  if (type.is_metadata) parts.push_back("metadata");
  if (type.is_unstructured) parts.push_back("unstructured");
  // Unless this is the default of its type.
  if (key.drop_managed_fields == type.is_unstructured) {
    add("managedFields", key.drop_managed_fields ? "dropped" : "kept");
  }
  add("drop", absl::StrJoin(key.drop, ","));
  add("keep", absl::StrJoin(key.keep, ","));
  return absl::StrJoin(parts, ";");
}

}  // namespace

Cache::Cache(rest::Client client, CacheOptions options)
    : client_(std::move(client)),
      options_(std::move(options)),
      pool_(std::make_shared<InformerPool>()) {}

Cache::~Cache() {
  const std::string caller = pool_->Caller();
  KUBE_CHECK(caller.empty()) << "cache destroyed by " << caller
                             << ", which it must wait for; call Shutdown there and destroy the "
                                "cache on another thread";
  Shutdown();
}

void Cache::Shutdown() { pool_->Shutdown(); }

Watched<unstructured::Unstructured> Cache::WatchDynamic(const typed::Resource& resource,
                                                        const WatchOptions& options) {
  return WatchAs<unstructured::Unstructured, unstructured::UnstructuredList>(resource, options);
}

Watched<metav1::PartialObjectMetadata> Cache::WatchDynamicMetadata(const typed::Resource& resource,
                                                                   const WatchOptions& options) {
  return WatchAs<metav1::PartialObjectMetadata, metav1::PartialObjectMetadataList>(resource,
                                                                                   options);
}

std::shared_ptr<WatchedCore> Cache::MakeCore(const typed::Resource& resource,
                                             const internal::WatchedType& type,
                                             const WatchOptions& options) {
  internal::WatchedParts parts = {.pool = pool_,
                                  .resource = typed::GroupVersionResourceOf(resource),
                                  .kind = typed::KindOf(resource),
                                  .namespaced = resource.namespaced,
                                  .label_selector = options.label_selector,
                                  .field_selector = options.field_selector,
                                  .take_snapshot = type.take_snapshot,
                                  .remove_indexer = type.remove_indexer};
  if (resource.namespaced) {
    parts.namespaces =
        NamespaceSet(options.namespaces.empty() ? options_.namespaces : options.namespaces);
  }
  // "get" lets nobody see what "list" does not show, and reads past the cache need it.
  RequireAccess({.group = parts.resource.group,
                 .resource = parts.resource.resource,
                 .verbs = {"get", "list", "watch"},
                 .namespaces = parts.namespaces.names()});
  const informers::ListerWatcherOptions source = {
      .projection = options.projection,
      .drop_managed_fields = options.drop_managed_fields.value_or(options_.drop_managed_fields &&
                                                                  !type.is_unstructured)};
  InformerKey key = {.resource = parts.resource,
                     .type = type.id,
                     .label_selector = options.label_selector,
                     .field_selector = options.field_selector,
                     .drop_managed_fields = source.drop_managed_fields,
                     .drop = Sorted(options.projection.drop),
                     .keep = Sorted(options.projection.keep)};
  for (const std::string& namespace_name : parts.namespaces.names()) {
    key.namespace_name = namespace_name;
    parts.informers.push_back(pool_->Acquire(key, [&] {
      informers::SharedInformerOptions informer_options = {
          .resync_period = options_.resync_period,
          .resource = key.resource,
          .metrics = options_.metrics,
          .metrics_name = MetricsNameOf(options_.name, key, type),
          .reflector = options_.reflector};
      informer_options.reflector.label_selector = key.label_selector;
      informer_options.reflector.field_selector = key.field_selector;
      return type.make_informer(client_, resource, namespace_name, source,
                                std::move(informer_options));
    }));
  }
  return std::make_shared<WatchedCore>(std::move(parts));
}

absl::Status Cache::CheckSynced() const {
  std::vector<std::string> reasons;
  for (const InformerPool::Used& used : pool_->Informers()) {
    if (!used.start_error.ok()) reasons.emplace_back(used.start_error.message());
    if (!used.started) continue;
    const absl::Status why = used.pooled->informer->WhyNotSynced();
    if (!why.ok()) reasons.emplace_back(why.message());
  }
  if (reasons.empty()) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("check cache sync: ", absl::StrJoin(reasons, "; ")));
}

std::vector<WatchSummary> Cache::Summaries() const {
  std::vector<WatchSummary> summaries;
  for (const InformerPool::Used& used : pool_->Informers()) {
    summaries.push_back(internal::SummaryOf(*used.pooled, used.users, used.start_error));
  }
  return summaries;
}

}  // namespace kube::controller
