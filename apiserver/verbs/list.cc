#include "apiserver/verbs/list.h"

#include <cstdint>
#include <utility>

#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apiserver/call/answer.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/call/list_options.h"
#include "apiserver/call/list_page.h"
#include "apiserver/call/read_cache.h"
#include "apiserver/call/respond.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;

}  // namespace

absl::StatusOr<Answer> ServeList(Core& core, Call& call) {
  KUBE_ASSIGN_OR_RETURN(const metav1::ListOptions options, ListOptionsOf(call, /*watch=*/false));
  if (options.continue_.empty()) {
    KUBE_ASSIGN_OR_RETURN(const int64_t revision, RevisionFor(options));
    // A list of one exact version is served from the storage.
    const ReadCache cache =
        CacheOf(core, call, !options.resource_version.empty() && !IsExact(options));
    if (revision > cache.revision) {
      if (!call.has_waited) return Answer(NotYet{.revision = revision + cache.lag});
      return TooLargeRevision(revision, cache.revision);
    }
  }
  KUBE_ASSIGN_OR_RETURN(const Page page, ListPage(core, call, options));
  KUBE_ASSIGN_OR_RETURN(httpserver::Response response, RespondPage(page, call));
  return Answer(std::move(response));
}

}  // namespace kube::apiserver::internal
