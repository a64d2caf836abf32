#include "tests/planted_bugs/librarian.h"

#include <memory>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/core/v1/types.applies.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/deletion.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/types/apply_of.h"
#include "apimachinery/types/string.h"
#include "controller/manager/manager.h"
#include "controller/reconcile/result.h"
#include "tests/planted_bugs/catalogue.h"
#include "tests/planted_bugs/shelf.client.kube.h"
#include "tests/planted_bugs/shelf.kube.h"

namespace kube::planted_bugs {

namespace corev1 = api::core::v1;
using ::library::v1::Shelf;
using ::library::v1::ShelfStatus;

namespace {

constexpr char kFinalizer[] = "library.example.com/catalogue";

meta::ObjectName CatalogueName() {
  return {.namespace_name = kCatalogueNamespace, .name = kCatalogue};
}

ApplyOf<corev1::ConfigMap> BookOf(const Shelf& shelf, const std::string& name) {
  ApplyOf<corev1::ConfigMap> book = {.metadata = {{.name = name}}};
  book.data["topic"] = shelf.spec.topic;
  return book;
}

}  // namespace

Librarian::Librarian(controller::Manager& manager)
    : client_(manager.client()),
      shelves_(manager),
      books_(shelves_.Owns<corev1::ConfigMap>(
          {.writes = {.access = {.verbs = {"create", "patch", "delete"}}}})),
      catalogue_(shelves_.Writes<corev1::ConfigMap>()) {
  shelves_.Finalizes(kFinalizer, [this](Request& request) { return Unregister(request); });
  shelves_.Reconciles([this](Request& request) { return Reconcile(request); });
}

absl::StatusOr<controller::Result> Librarian::Reconcile(Request& request) {
  const Shelf& shelf = *request.object();
  KUBE_RETURN_IF_ERROR(Register(request));
  std::set<std::string> wanted;
  for (int i = 0; i < shelf.spec.books; ++i) {
    const std::string name = absl::StrCat(request.name().name, "-", i);
    wanted.insert(name);
    KUBE_RETURN_IF_ERROR(books_.Apply(request, BookOf(shelf, name)));
  }
  for (const std::shared_ptr<const corev1::ConfigMap>& book : books_.Children(request)) {
    if (wanted.count(std::string(book->metadata.name.view())) != 0) continue;
    if (meta::IsBeingDeleted(*book)) continue;
    KUBE_RETURN_IF_ERROR(books_.Delete(request, *book));
  }
  return shelves_.EditStatus(request, [&shelf](ShelfStatus& status) {
    status.observed_generation = shelf.metadata.generation;
    status.books = shelf.spec.books;
  });
}

absl::Status Librarian::Register(Request& request) const {
  const std::string entry = EntryOf(request.name());
  const std::string topic(request.object()->spec.topic.view());
  const absl::StatusOr<std::shared_ptr<const corev1::ConfigMap>> known =
      books_.Get(request, CatalogueName());
  const String* const registered = known.ok() ? (*known)->data.find(entry) : nullptr;
  if (registered != nullptr && *registered == topic) return absl::OkStatus();
  // The cache may still have a shelf that was finalized. Nobody would remove its entry a second
  // time, so the server has to confirm that it is there.
  const ::library::v1::ShelfClient shelves(client_, request.name().namespace_name);
  KUBE_ASSIGN_OR_RETURN(const Shelf now, shelves.Get(request.context(), request.name().name));
  if (now.metadata.uid.view() != request.uid() || meta::IsBeingDeleted(now)) {
    return absl::AbortedError("register shelf: the cache is behind its deletion");
  }
  const auto add = [&](corev1::ConfigMap& catalogue) {
    catalogue.data[entry] = topic;
    return absl::OkStatus();
  };
  return catalogue_.Ensure(request, CatalogueName(), add).status();
}

absl::Status Librarian::Unregister(Request& request) const {
  const auto remove = [&](corev1::ConfigMap& catalogue) {
    catalogue.data.erase(EntryOf(request.name()));
    return absl::OkStatus();
  };
  return errors::IgnoreNotFound(catalogue_.Edit(request, CatalogueName(), remove).status());
}

}  // namespace kube::planted_bugs
