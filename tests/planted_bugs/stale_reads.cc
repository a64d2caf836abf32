#include "tests/planted_bugs/stale_reads.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/types/string.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "controller/manager/manager.h"
#include "controller/reconcile/result.h"
#include "tests/planted_bugs/catalogue.h"
#include "tests/planted_bugs/shelf.client.kube.h"
#include "tests/planted_bugs/shelf.kube.h"

namespace kube::planted_bugs {

namespace corev1 = api::core::v1;
using controller::Result;
using ::library::v1::Shelf;
using ::library::v1::ShelfClient;
using ::library::v1::ShelfStatus;

TwiceCreator::TwiceCreator(controller::Manager& manager)
    : shelves_(manager, {.name = "twice-creator", .own_writes_timeout = absl::ZeroDuration()}),
      keys_(shelves_.Owns<corev1::Secret>()) {
  shelves_.Reconciles([this](Request& request) { return Reconcile(request); });
}

absl::StatusOr<Result> TwiceCreator::Reconcile(Request& request) {
  if (keys_.Children(request).empty()) {
    corev1::Secret key;
    key.metadata.generate_name = absl::StrCat(request.name().name, "-key-");
    KUBE_RETURN_IF_ERROR(keys_.Create(request, std::move(key)));
  }
  const int64_t generation = request.object()->metadata.generation;
  return shelves_.EditStatus(
      request, [generation](ShelfStatus& status) { status.observed_generation = generation; });
}

BlindUpdater::BlindUpdater(controller::Manager& manager)
    : client_(manager.client()), shelves_(manager, {.name = "blind-updater"}) {
  manager.RequireAccess({.resource = "configmaps",
                         .verbs = {"get", "update"},
                         .names = {kCatalogue},
                         .namespaces = {kCatalogueNamespace}});
  shelves_.Reconciles([this](Request& request) { return Reconcile(request); });
}

absl::Status BlindUpdater::Reconcile(Request& request) const {
  const String counted = absl::StrCat(request.object()->spec.books);
  const corev1::ConfigMapClient maps(client_, kCatalogueNamespace);
  KUBE_ASSIGN_OR_RETURN(corev1::ConfigMap catalogue, maps.Get(request.context(), kCatalogue));
  const std::string entry = EntryOf(request.name());
  if (catalogue.data.value_or(entry, "") == counted) return absl::OkStatus();
  catalogue.data[entry] = counted;
  catalogue.metadata.resource_version = "";
  return maps.Update(request.context(), catalogue).status();
}

Numberer::Numberer(controller::Manager& manager)
    : client_(manager.client()), shelves_(manager, {.name = "numberer", .workers = 2}) {
  manager.RequireAccess({.group = "library.example.com", .resource = "shelves", .verbs = {"list"}});
  shelves_.Reconciles([this](Request& request) { return Reconcile(request); });
}

absl::StatusOr<Result> Numberer::Reconcile(Request& request) {
  if (request.object()->status.number != 0) return Result();
  const ShelfClient shelves(client_, request.name().namespace_name);
  KUBE_ASSIGN_OR_RETURN(const ::library::v1::ShelfList all, shelves.List(request.context()));
  int32_t numbered = 0;
  for (const Shelf& shelf : all.items) {
    if (shelf.status.number != 0) ++numbered;
  }
  return shelves_.EditStatus(request,
                             [numbered](ShelfStatus& status) { status.number = numbered + 1; });
}

}  // namespace kube::planted_bugs
