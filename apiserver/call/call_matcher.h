#ifndef APISERVER_CALL_CALL_MATCHER_H_
#define APISERVER_CALL_CALL_MATCHER_H_

#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/registry/selectors.h"

namespace kube::apiserver::internal {

// Returns what selects the objects that a list or watch asks for. As kube-apiserver, ignores
// `options.shard_selector` unless the server evaluates it. Returns a 400 for selectors of labels
// and fields that are invalid, and a 500 for an invalid shard selector.
absl::StatusOr<Matcher> MatcherFor(const Core& core, const Call& call,
                                   const api::meta::v1::ListOptions& options);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CALL_CALL_MATCHER_H_
