#ifndef TESTS_PLANTED_BUGS_LOOPS_H_
#define TESTS_PLANTED_BUGS_LOOPS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "clientset/rest/client.h"
#include "controller/manager/manager.h"
#include "controller/reconcile/controller.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/result.h"
#include "controller/reconcile/writer.h"
#include "tests/planted_bugs/shelf.client.kube.h"
#include "tests/planted_bugs/shelf.kube.h"

// Operators that never come to rest.
namespace kube::planted_bugs {

// Counts its visits in an annotation of the shelf. The bug: each write causes the next visit.
class VisitCounter {
 public:
  using Request = controller::Request<::library::v1::Shelf>;

  explicit VisitCounter(controller::Manager& manager);

 private:
  absl::Status Reconcile(Request& request) const;

  controller::Controller<::library::v1::Shelf> shelves_;
  const controller::Writer<::library::v1::Shelf> writer_;
};

// Says in the status when it has looked. The bug: it writes in each reconcile, though nothing else
// has changed.
class TimestampWriter {
 public:
  using Request = controller::Request<::library::v1::Shelf>;

  explicit TimestampWriter(controller::Manager& manager);

 private:
  absl::StatusOr<controller::Result> Reconcile(Request& request);

  controller::Controller<::library::v1::Shelf> shelves_;
};

// Sets `spec.keeper` of each shelf. Two of them with different names are the bug: they fight.
class Keeper {
 public:
  using Request = controller::Request<::library::v1::Shelf>;

  Keeper(controller::Manager& manager, std::string name);

 private:
  absl::Status Reconcile(Request& request) const;

  const std::string name_;
  controller::Controller<::library::v1::Shelf> shelves_;
  const controller::Writer<::library::v1::Shelf> writer_;
};

// Waits until a shelf has a keeper. The bug: it asks the server again and again, without a pause.
class Poller {
 public:
  using Request = controller::Request<::library::v1::Shelf>;

  explicit Poller(controller::Manager& manager);

 private:
  absl::StatusOr<controller::Result> Reconcile(Request& request) const;

  const rest::Client client_;
  controller::Controller<::library::v1::Shelf> shelves_;
};

// Says how a shelf is. The bug: it says so each second, with another text each time.
class Chatterer {
 public:
  using Request = controller::Request<::library::v1::Shelf>;

  explicit Chatterer(controller::Manager& manager);

 private:
  absl::StatusOr<controller::Result> Reconcile(Request& request) const;

  controller::Controller<::library::v1::Shelf> shelves_;
};

// Waits within its reconcile until the shelf has a keeper. The bug: nobody may ever give it one,
// and it does not look at its context.
class Waiter {
 public:
  using Request = controller::Request<::library::v1::Shelf>;

  explicit Waiter(controller::Manager& manager);

 private:
  absl::Status Reconcile(Request& request) const;

  const rest::Client client_;
  controller::Controller<::library::v1::Shelf> shelves_;
};

}  // namespace kube::planted_bugs

#endif  // TESTS_PLANTED_BUGS_LOOPS_H_
