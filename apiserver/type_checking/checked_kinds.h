#ifndef APISERVER_TYPE_CHECKING_CHECKED_KINDS_H_
#define APISERVER_TYPE_CHECKING_CHECKED_KINDS_H_

#include <vector>

#include "api/admissionregistration/v1/types.kube.h"
#include "apiserver/resources.h"

namespace kube::apiserver::internal {

// Returns the resources whose kinds the expressions of a policy are checked for: those that the
// resource rules name, sorted by group, version and kind, each kind once. A rule with a wildcard in
// its groups or versions names none; wildcards and subresources among its resources are skipped.
// The group "" stands for all groups, as it does for upstream's RESTMapper. When a rule has named
// ten resources, nothing behind them is looked at. Pure and thread-safe (kube-apiserver:
// `TypeChecker.typesToCheck`).
std::vector<const Resource*> CheckedKinds(
    const api::admissionregistration::v1::MatchResources& constraints, const Resources& resources);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_TYPE_CHECKING_CHECKED_KINDS_H_
