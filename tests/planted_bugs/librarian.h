#ifndef TESTS_PLANTED_BUGS_LIBRARIAN_H_
#define TESTS_PLANTED_BUGS_LIBRARIAN_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/core/v1/types.kube.h"
// The headers of clients have what the templates below need to know of a kind.
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "controller/manager/manager.h"
#include "controller/reconcile/controller.h"
#include "controller/reconcile/owned.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/result.h"
#include "controller/reconcile/writer.h"
#include "tests/planted_bugs/shelf.client.kube.h"
#include "tests/planted_bugs/shelf.kube.h"

namespace kube::planted_bugs {

// An operator without a bug: keeps a ConfigMap for each book of a shelf, an entry in the catalogue,
// which a finalizer removes, and the status of the shelf. All audits must pass it.
class Librarian {
 public:
  using Request = controller::Request<::library::v1::Shelf>;

  explicit Librarian(controller::Manager& manager);

 private:
  absl::StatusOr<controller::Result> Reconcile(Request& request);
  absl::Status Register(Request& request) const;
  absl::Status Unregister(Request& request) const;

  const rest::Client client_;
  controller::Controller<::library::v1::Shelf> shelves_;
  const controller::Owned<api::core::v1::ConfigMap> books_;
  const controller::Writer<api::core::v1::ConfigMap> catalogue_;
};

}  // namespace kube::planted_bugs

#endif  // TESTS_PLANTED_BUGS_LIBRARIAN_H_
