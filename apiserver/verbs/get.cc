#include "apiserver/verbs/get.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/queryparams/queryparams.h"
#include "apiserver/call/answer.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/call/list_options.h"
#include "apiserver/call/read_cache.h"
#include "apiserver/call/respond.h"
#include "apiserver/errors/plain_error.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "apiserver/storage.h"
#include "apiserver/strategy/custom.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;

// Returns the object as a lagging cache has it.
absl::StatusOr<ObjectPtr> GetFromCache(const Core& core, const Call& call, const ReadCache& cache) {
  const Target target = call.target();
  const std::string key = target.key();
  KUBE_ASSIGN_OR_RETURN(const ListResult list,
                        core.storage.List(target.resource->storage,
                                          {.prefix = key, .revision = cache.revision, .limit = 1}));
  if (!list.items.empty() && list.items[0].key == key) {
    return AsResource(*target.resource, list.items[0].object);
  }
  return errors::NotFound(target.resource->group_resource(), target.name);
}

}  // namespace

absl::StatusOr<Answer> ServeGet(Core& core, Call& call) {
  absl::StatusOr<metav1::GetOptions> options =
      queryparams::DecodeParameters<metav1::GetOptions>(call.info.query);
  if (!options.ok()) return errors::BadRequest(options.status().message());
  const absl::StatusOr<int64_t> revision = ParseRevision(options->resource_version.view());
  if (!revision.ok()) return PlainError(revision.status().message());
  const ReadCache cache = CacheOf(core, call, !options->resource_version.empty());
  if (*revision > cache.revision) {
    if (!call.has_waited) return Answer(NotYet{.revision = *revision + cache.lag});
    return TooLargeRevision(*revision, cache.revision);
  }
  KUBE_ASSIGN_OR_RETURN(const ObjectPtr object, cache.lag > 0 ? GetFromCache(core, call, cache)
                                                              : core.registry.Get(call.target()));
  KUBE_ASSIGN_OR_RETURN(httpserver::Response response, RespondObject(200, *object, call));
  return Answer(std::move(response));
}

}  // namespace kube::apiserver::internal
