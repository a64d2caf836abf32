#ifndef TESTS_PLANTED_BUGS_STALE_READS_H_
#define TESTS_PLANTED_BUGS_STALE_READS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/core/v1/types.kube.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "controller/manager/manager.h"
#include "controller/reconcile/controller.h"
#include "controller/reconcile/owned.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/result.h"
#include "tests/planted_bugs/shelf.client.kube.h"
#include "tests/planted_bugs/shelf.kube.h"

// Operators that believe what their cache says, or the order in which it says it.
namespace kube::planted_bugs {

// Keeps one Secret with a name from the server for each shelf. The bug: it looks for the Secret in
// the cache, which may not have it yet, and creates another one.
class TwiceCreator {
 public:
  using Request = controller::Request<::library::v1::Shelf>;

  explicit TwiceCreator(controller::Manager& manager);

 private:
  absl::StatusOr<controller::Result> Reconcile(Request& request);

  controller::Controller<::library::v1::Shelf> shelves_;
  const controller::Owned<api::core::v1::Secret> keys_;
};

// Counts the books of each shelf in the catalogue. The bug: it sends the catalogue that it has read
// without the resource version, so that a change that others have made meanwhile is lost. Only
// objects of built-in kinds: custom ones cannot be updated so.
class BlindUpdater {
 public:
  using Request = controller::Request<::library::v1::Shelf>;

  explicit BlindUpdater(controller::Manager& manager);

 private:
  absl::Status Reconcile(Request& request) const;

  const rest::Client client_;
  controller::Controller<::library::v1::Shelf> shelves_;
};

// Numbers shelves. The bug: a shelf gets the number of those that have one already, so that the
// numbers depend on the order of the reconciles.
class Numberer {
 public:
  using Request = controller::Request<::library::v1::Shelf>;

  explicit Numberer(controller::Manager& manager);

 private:
  absl::StatusOr<controller::Result> Reconcile(Request& request);

  const rest::Client client_;
  controller::Controller<::library::v1::Shelf> shelves_;
};

}  // namespace kube::planted_bugs

#endif  // TESTS_PLANTED_BUGS_STALE_READS_H_
