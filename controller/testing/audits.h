#ifndef CONTROLLER_TESTING_AUDITS_H_
#define CONTROLLER_TESTING_AUDITS_H_

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/handler.h"
#include "controller/testing/audit_finding.h"
#include "controller/testing/audit_options.h"

// Look for the mistakes of operators in what a test's API server has logged and stored, for tests
// that fail with a reason. Pure functions: thread-safe, and equal input leads to equal findings.
// Findings are sorted by time, kind and object, and there is one for each kind and object.
namespace kube::controller {

// An object as the server has it.
struct AuditedObject {
  // The resource with its group: "pods", "deployments.apps".
  std::string resource = {};
  unstructured::Value object = {};
};

// The objects of a cluster at one time.
struct AuditedState {
  std::vector<AuditedObject> objects = {};
  // The kinds of which `objects` has all that exist, as "KIND.GROUP": "ConfigMap",
  // "Deployment.apps". An object is only an orphan if its owners are of such kinds.
  std::vector<std::string> complete_kinds = {};
  // When the state was read. Default: the infinite past, and no object is stuck.
  absl::Time time = absl::InfinitePast();
};

// Audits the operator's requests. The log must be that of a server with
// HandlerOptions::max_logged_object_bytes; without it, what needs the objects is not found: lost
// finalizers, fights, second creations, and which object an event is about. The same holds for
// objects that are larger: a write of one is compared with no other write, and the story of a
// finding says "object not logged" there. Raise the limit if the operator writes such objects.
//
// - kWriteWithoutChange: more than max_writes_without_change successful updates and patches of an
//   object, or of its status, within the window left its resourceVersion as it was.
// - kUnconditionalUpdate: a successful update of an existing object had no resourceVersion, and so
//   overwrites what others have written meanwhile.
// - kLostFinalizer: an update or patch removed a finalizer that is not one of
//   AuditOptions::finalizers.
// - kEventStorm: more than max_events events about one object were written within the window.
// - kHotLoop: more than max_requests requests were about one object within the window.
// - kWriterFight: two writers, of which the operator is one, have in turn restored what the other
//   one had changed, more than max_restored times in succession. All requests of the operator are
//   those of one writer, if AuditOptions say which these are.
// - kCreatedTwice: two objects of a resource of one_per_owner have existed at the same time for the
//   same owner, or creations of one object failed within the window, because it existed, more than
//   max_already_exists times.
// - kReconcileNeverEnds: the operator changed objects after AuditOptions::settled.
std::vector<AuditFinding> AuditRequests(const std::vector<apiserver::LoggedRequest>& log,
                                        const AuditOptions& options = {});

// Audits the rights of the operator, by the log of a server with Authorization::kRbac.
//
// - kMissingRight: a request of the operator was forbidden, or an update or apply of a new object
//   was because the operator may not create it.
// - kUnusedRight: no allowed request needed this verb of a rule for this resource, or this path. A
//   watch needs "list" too, a list is a reason for "get", and an update or apply that creates its
//   object needs "create". Verbs that no request has, such as "bind" and "escalate", and "update"
//   of finalizers are never reported. Rights for rare cases belong into AuditOptions::ignore.
//
// To compare the rights that a manager declares with the requests, in a server without RBAC, see
// manifests::CompareWithRequests.
std::vector<AuditFinding> AuditRights(const std::vector<apiserver::LoggedRequest>& log,
                                      const AuditOptions& options);

// Audits what is left in the end. Read the state when the garbage collector has had time to work:
// that of the embedded server works before a deletion is answered, that of a ControlPlane's
// cluster does not run at all.
//
// - kOrphan: an object has owners, and none of them exists.
// - kMissingOwner: an object of a resource of AuditOptions::owned, which the operator has created
//   according to the log, has no controller owner.
// - kStuckFinalizer: an object was deleted more than max_deletion before the state was read, and
//   waits for one of AuditOptions::finalizers.
std::vector<AuditFinding> AuditState(const AuditedState& state,
                                     const std::vector<apiserver::LoggedRequest>& log,
                                     const AuditOptions& options);

}  // namespace kube::controller

#endif  // CONTROLLER_TESTING_AUDITS_H_
