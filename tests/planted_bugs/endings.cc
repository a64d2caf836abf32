#include "tests/planted_bugs/endings.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/deletion.h"
#include "apimachinery/meta/finalizers.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "controller/manager/manager.h"
#include "controller/triggers/trigger.h"
#include "tests/planted_bugs/catalogue.h"
#include "tests/planted_bugs/shelf.client.kube.h"
#include "tests/planted_bugs/shelf.kube.h"

namespace kube::planted_bugs {

namespace corev1 = api::core::v1;
using ::library::v1::Shelf;
using ::library::v1::ShelfClient;

FinalizerThief::FinalizerThief(controller::Manager& manager)
    : shelves_(manager, {.name = "finalizer-thief"}), writer_(shelves_.Writes<Shelf>()) {
  shelves_.Reconciles([this](Request& request) { return Reconcile(request); });
}

absl::Status FinalizerThief::Reconcile(Request& request) const {
  const auto add = [](Shelf& shelf) {
    if (meta::ContainsFinalizer(shelf, kOwnFinalizer)) return absl::OkStatus();
    shelf.metadata.finalizers.clear();
    shelf.metadata.finalizers.push_back(kOwnFinalizer);
    return absl::OkStatus();
  };
  return writer_.Edit(request, request.name().name, add).status();
}

ForgetfulKeeper::ForgetfulKeeper(controller::Manager& manager)
    : shelves_(manager, {.name = "forgetful-keeper"}), writer_(shelves_.Writes<Shelf>()) {
  shelves_.Reconciles([this](Request& request) { return Reconcile(request); });
}

absl::Status ForgetfulKeeper::Reconcile(Request& request) const {
  if (meta::ContainsFinalizer(*request.object(), kOwnFinalizer)) return absl::OkStatus();
  const auto add = [](Shelf& shelf) {
    meta::AddFinalizer(shelf, kOwnFinalizer);
    return absl::OkStatus();
  };
  return writer_.Edit(request, request.name().name, add).status();
}

HastyCleaner::HastyCleaner(controller::Manager& manager)
    : client_(manager.client()),
      controller_(manager, {.name = "hasty-cleaner"}),
      shelves_(controller_.Watches<Shelf>(controller::EnqueueSelf<Shelf>())) {
  controller_.Reconciles([this](Request& request) { return Reconcile(request); });
}

absl::Status HastyCleaner::Reconcile(const Request& request) const {
  const absl::StatusOr<std::shared_ptr<const Shelf>> shelf = shelves_.Get(request, request.key());
  if (errors::IsNotFound(shelf.status())) return absl::OkStatus();
  KUBE_RETURN_IF_ERROR(shelf.status());
  if (!meta::IsBeingDeleted(**shelf)) {
    KUBE_RETURN_IF_ERROR(SetFinalizer(request, /*wanted=*/true));
    return SetEntry(request, /*wanted=*/true);
  }
  if (!meta::ContainsFinalizer(**shelf, kOwnFinalizer)) return absl::OkStatus();
  KUBE_RETURN_IF_ERROR(SetFinalizer(request, /*wanted=*/false));
  return SetEntry(request, /*wanted=*/false);
}

absl::Status HastyCleaner::SetFinalizer(const Request& request, bool wanted) const {
  const auto set = [wanted](Shelf& shelf) {
    if (meta::IsBeingDeleted(shelf) || !wanted) {
      meta::RemoveFinalizer(shelf, kOwnFinalizer);
    } else {
      meta::AddFinalizer(shelf, kOwnFinalizer);
    }
    return absl::OkStatus();
  };
  const ShelfClient shelves(client_, request.key().namespace_name);
  return errors::IgnoreNotFound(shelves.Edit(request.context(), request.key().name, set).status());
}

absl::Status HastyCleaner::SetEntry(const Request& request, bool wanted) const {
  const std::string entry = EntryOf(request.key());
  const auto set = [&entry, wanted](corev1::ConfigMap& catalogue) {
    if (wanted) {
      catalogue.data[entry] = "yes";
    } else {
      catalogue.data.erase(entry);
    }
    return absl::OkStatus();
  };
  return corev1::ConfigMapClient(client_, kCatalogueNamespace)
      .Edit(request.context(), kCatalogue, set)
      .status();
}

Orphaner::Orphaner(controller::Manager& manager)
    : shelves_(manager, {.name = "orphaner"}), writer_(shelves_.Writes<corev1::Secret>()) {
  shelves_.Reconciles([this](Request& request) { return Reconcile(request); });
}

absl::Status Orphaner::Reconcile(Request& request) const {
  const auto make = [&request](corev1::Secret& secret) {
    secret.metadata.annotations["topic"] = request.object()->spec.topic;
    return absl::OkStatus();
  };
  return writer_.Ensure(request, absl::StrCat(request.name().name, "-key"), make).status();
}

}  // namespace kube::planted_bugs
