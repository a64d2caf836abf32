#ifndef CONTROLLER_TESTING_AUDIT_OPTIONS_H_
#define CONTROLLER_TESTING_AUDIT_OPTIONS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "api/rbac/v1/types.kube.h"
#include "controller/testing/audit_finding.h"

namespace kube::controller {

// Something that an audit must not report, because the operator means to do it.
struct AuditAllowance {
  // The kind of finding. Default: every kind.
  std::optional<AuditKind> kind = {};
  // The object as in AuditFinding::object, or its first words: "leases.coordination.k8s.io" is
  // every lease, "configmaps default/web" one config map, and "patch" every right to patch. A part
  // of a word does not match. Default: every object.
  std::string object = {};
};

// What audits know of an operator, and from which number on they call something a mistake. The
// defaults suit a test of some minutes of the operator's time, with some objects.
struct AuditOptions {
  // Which requests are the operator's: those of this user, such as
  // "system:serviceaccount:default:website". Empty: of every user.
  std::string user = {};
  // How the User-Agent of the operator's requests begins. Empty: any.
  std::string user_agent = {};

  // The finalizers that the operator sets and removes, such as "example.com/cleanup". It may remove
  // no others.
  std::vector<std::string> finalizers = {};
  // The resources whose objects the operator creates for an object of its own kind, such as
  // "deployments.apps" or "configmaps": they need a controller owner. Default: none, and no object
  // is reported as kMissingOwner.
  std::vector<std::string> owned = {};
  // The resources of which the operator creates no more than one object for each owner. A second
  // one that exists at the same time is reported as kCreatedTwice. Default: none.
  std::vector<std::string> one_per_owner = {};
  // The rules that the operator's roles grant, such as those of manifests::RolesOf. Only a test
  // that makes the operator do all that it can should set them: every right that no request needed
  // is reported as kUnusedRight. Default: none, and no right is unused.
  std::vector<api::rbac::v1::PolicyRule> rules = {};

  // The time in which requests are counted. Default: one minute.
  absl::Duration window = absl::Minutes(1);
  // How many writes to one object may change nothing within the window. An update after a restart,
  // or because of a stale cache, is one; a loop makes more. Default: 5.
  size_t max_writes_without_change = 5;
  // How many events about one object may be written within the window. Default: 20.
  size_t max_events = 20;
  // How many requests may be about one object within the window, without lists and watches, events
  // and leases. Default: 60.
  size_t max_requests = 60;
  // How often a writer may restore what another one has changed, in direct succession. Default: 3.
  size_t max_restored = 3;
  // How many creations of one object may fail within the window because it exists. Default: 2.
  size_t max_already_exists = 2;
  // The time after which nothing happens that the operator has to answer. If it changes objects
  // later, other than events and leases, these are reported as kReconcileNeverEnds. Default: never.
  absl::Time settled = absl::InfiniteFuture();
  // How long an object may wait, after its deletion, for a finalizer of the operator. Default: one
  // minute.
  absl::Duration max_deletion = absl::Minutes(1);

  // What must not be reported. Default: nothing.
  std::vector<AuditAllowance> ignore = {};
};

}  // namespace kube::controller

#endif  // CONTROLLER_TESTING_AUDIT_OPTIONS_H_
