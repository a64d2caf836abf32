#ifndef CONTROLLER_RECONCILE_WRITES_OPTIONS_H_
#define CONTROLLER_RECONCILE_WRITES_OPTIONS_H_

#include <string>
#include <vector>

namespace kube::controller {

// What a Writer needs rights for, as the manifests of the program say it: Manager::RequiredRules.
// Nothing else follows from it: a call whose verb is missing here is sent, and a server with RBAC
// answers Forbidden; if it is a deletion, the error says what is missing. (controller-gen: the
// marker `kubebuilder:rbac`)
struct WriteAccess {
  // Default: what Create, Apply, Edit and Ensure do. Add "delete" for Delete and DeleteChildren,
  // and "deletecollection" for DeleteAll. "create" and "patch" suffice for Create and Apply, "get"
  // and "patch" for Edit.
  std::vector<std::string> verbs = {"create", "get", "patch"};
  // Default: the namespaces of the watch to which the writer belongs, else those of the cache. A
  // list with the one element "" means all. Ignored for cluster-scoped kinds.
  std::vector<std::string> namespaces = {};
  // The names of the objects. Default: all. Creation cannot be limited to names.
  std::vector<std::string> names = {};
};

// Options of a Writer; they hold for all its writes.
struct WritesOptions {
  // Makes the server check each write and store nothing. The answers are those of a real write.
  // Default: no. (controller-runtime: `client.NewDryRunClient`)
  bool dry_run = false;
  // What the server does with fields that it does not know or that occur twice: "Ignore", "Warn" or
  // "Strict", the constants metav1::kFieldValidation…. Applies are always strict. Default: the
  // server's, "Warn". (controller-runtime: `client.WithFieldValidation`)
  std::string field_validation = {};
  // What happens to the dependents of deleted objects: "Background", "Foreground" or "Orphan", the
  // constants metav1::kDeletePropagation…. Default: the server's, which is "Background" for most
  // kinds, but "Orphan" for batch/v1 Jobs: say "Background" for these, or their pods stay.
  std::string propagation_policy = {};
  // What the program's role must allow. Default: to create, read and change objects.
  WriteAccess access = {};
};

}  // namespace kube::controller

#endif  // CONTROLLER_RECONCILE_WRITES_OPTIONS_H_
