#include "apiserver/call/call_matcher.h"

#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/sharding/parse_selector.h"
#include "apimachinery/sharding/selector.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/errors/plain_error.h"
#include "apiserver/registry/selectors.h"

namespace kube::apiserver::internal {

absl::StatusOr<Matcher> MatcherFor(const Core& core, const Call& call,
                                   const api::meta::v1::ListOptions& options) {
  KUBE_ASSIGN_OR_RETURN(
      Matcher matcher,
      Matcher::Make(*call.resource, options.label_selector.view(), options.field_selector.view()));
  if (!core.sharded_lists || options.shard_selector.empty()) return matcher;
  absl::StatusOr<sharding::Selector> shard = sharding::ParseSelector(options.shard_selector.view());
  if (!shard.ok()) {
    return PlainError(absl::StrCat("invalid shard selector: ", shard.status().message()));
  }
  matcher.Narrow(*std::move(shard));
  return matcher;
}

}  // namespace kube::apiserver::internal
