#ifndef CONTROLLER_RECONCILE_WRITES_OPTIONS_H_
#define CONTROLLER_RECONCILE_WRITES_OPTIONS_H_

#include <string>

namespace kube::controller {

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
};

}  // namespace kube::controller

#endif  // CONTROLLER_RECONCILE_WRITES_OPTIONS_H_
