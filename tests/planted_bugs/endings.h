#ifndef TESTS_PLANTED_BUGS_ENDINGS_H_
#define TESTS_PLANTED_BUGS_ENDINGS_H_

#include "absl/status/status.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/meta/object_name.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "controller/cache/watched.h"
#include "controller/manager/manager.h"
#include "controller/reconcile/controller.h"
#include "controller/reconcile/key_controller.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/writer.h"
#include "tests/planted_bugs/shelf.client.kube.h"
#include "tests/planted_bugs/shelf.kube.h"

// Operators that leave something behind, or take something away.
namespace kube::planted_bugs {

// The finalizer of these operators.
inline constexpr char kOwnFinalizer[] = "library.example.com/books";

// Adds its finalizer to each shelf. The bug: it replaces the list, and so removes the finalizer of
// the archive.
class FinalizerThief {
 public:
  using Request = controller::Request<::library::v1::Shelf>;

  explicit FinalizerThief(controller::Manager& manager);

 private:
  absl::Status Reconcile(Request& request) const;

  controller::Controller<::library::v1::Shelf> shelves_;
  const controller::Writer<::library::v1::Shelf> writer_;
};

// Adds a finalizer to each shelf. The bug: it never removes it, so that the shelf never ends.
class ForgetfulKeeper {
 public:
  using Request = controller::Request<::library::v1::Shelf>;

  explicit ForgetfulKeeper(controller::Manager& manager);

 private:
  absl::Status Reconcile(Request& request) const;

  controller::Controller<::library::v1::Shelf> shelves_;
  const controller::Writer<::library::v1::Shelf> writer_;
};

// Keeps an entry in a catalogue for each shelf. The bug: at the end of a shelf it removes its
// finalizer first and the entry afterwards, and nobody does the second if it fails.
class HastyCleaner {
 public:
  using Request = controller::KeyRequest<meta::ObjectName>;

  explicit HastyCleaner(controller::Manager& manager);

 private:
  absl::Status Reconcile(const Request& request) const;
  absl::Status SetFinalizer(const Request& request, bool wanted) const;
  absl::Status SetEntry(const Request& request, bool wanted) const;

  const rest::Client client_;
  controller::KeyController<meta::ObjectName> controller_;
  const controller::Watched<::library::v1::Shelf> shelves_;
};

// Keeps a Secret for each shelf. The bug: the Secret has no owner, so that it stays when the shelf
// is deleted.
class Orphaner {
 public:
  using Request = controller::Request<::library::v1::Shelf>;

  explicit Orphaner(controller::Manager& manager);

 private:
  absl::Status Reconcile(Request& request) const;

  controller::Controller<::library::v1::Shelf> shelves_;
  const controller::Writer<api::core::v1::Secret> writer_;
};

}  // namespace kube::planted_bugs

#endif  // TESTS_PLANTED_BUGS_ENDINGS_H_
