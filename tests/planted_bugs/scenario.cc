#include "tests/planted_bugs/scenario.h"

#include <algorithm>
#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/meta/finalizers.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "controller/testing/audit_finding.h"
#include "controller/testing/operator_world.h"
#include "controller/testing/operator_world_options.h"
#include "gtest/gtest.h"
#include "tests/planted_bugs/catalogue.h"
#include "tests/planted_bugs/shelf.client.kube.h"
#include "tests/planted_bugs/shelf.kube.h"

namespace kube::planted_bugs {

namespace corev1 = api::core::v1;
using controller::OperatorWorld;
using controller::OperatorWorldOptions;
using ::library::v1::Shelf;
using ::library::v1::ShelfClient;

namespace {

constexpr char kCrds[] = "tests/planted_bugs/shelf_crds.yaml";
constexpr char kNamespace[] = "default";
// The finalizer of the archive.
constexpr char kArchive[] = "archive.example.com/copy";

absl::Status CreateShelf(const ShelfClient& shelves, absl::string_view name, int32_t books) {
  Shelf shelf;
  shelf.metadata.name = name;
  shelf.spec.topic = absl::StrCat("all about ", name);
  shelf.spec.books = books;
  return shelves.Create(Context(), shelf).status();
}

absl::Status ChangeShelf(const ShelfClient& shelves, absl::string_view name,
                         absl::FunctionRef<void(Shelf&)> change) {
  const auto edit = [change](Shelf& shelf) {
    change(shelf);
    return absl::OkStatus();
  };
  return shelves.Edit(Context(), name, edit).status();
}

// Annotates the shelf in short distances, as a program does that works beside the operator.
absl::Status Annotate(const ShelfClient& shelves, absl::string_view name) {
  for (int i = 0; i < 5; ++i) {
    KUBE_RETURN_IF_ERROR(ChangeShelf(shelves, name, [i](Shelf& shelf) {
      shelf.metadata.annotations["archived"] = absl::StrCat(i);
      shelf.spec.books = i;
    }));
    KUBE_RETURN_IF_ERROR(base::SleepFor(Context(), absl::Milliseconds(i)));
  }
  return absl::OkStatus();
}

}  // namespace

OperatorWorldOptions ShelfWorld() {
  OperatorWorldOptions options;
  options.seeds = 20;
  options.faults = {};
  options.fault_time = absl::Seconds(20);
  options.crds.paths = {kCrds};
  return options;
}

ShelfClient Shelves(const rest::Client& client) { return {client, kNamespace}; }

testing::AssertionResult Finds(OperatorWorld& world, OperatorWorld::Scenario scenario,
                               controller::AuditKind kind) {
  const absl::Status result = world.Run(scenario);
  const auto& findings = world.findings();
  const bool found = std::any_of(findings.begin(), findings.end(),
                                 [kind](const auto& finding) { return finding.kind == kind; });
  if (!found) {
    return testing::AssertionFailure()
           << "no " << controller::AuditKindName(kind) << " is found: " << result.ToString();
  }
  return testing::AssertionSuccess() << result.ToString();
}

absl::Status CreateCatalogue(const rest::Client& client) {
  corev1::Namespace made;
  made.metadata.name = kCatalogueNamespace;
  KUBE_RETURN_IF_ERROR(corev1::NamespaceClient(client).Create(Context(), made));
  corev1::ConfigMap catalogue;
  catalogue.metadata.name = kCatalogue;
  catalogue.data["about"] = "an entry for each shelf";
  return corev1::ConfigMapClient(client, kCatalogueNamespace).Create(Context(), catalogue).status();
}

absl::Status LifeOfShelves(OperatorWorld::Play& play) {
  const ShelfClient shelves = Shelves(play.client());
  KUBE_RETURN_IF_ERROR(CreateCatalogue(play.client()));
  KUBE_RETURN_IF_ERROR(play.Pause());
  KUBE_RETURN_IF_ERROR(CreateShelf(shelves, "art", 2));
  KUBE_RETURN_IF_ERROR(CreateShelf(shelves, "biology", 1));
  KUBE_RETURN_IF_ERROR(play.Pause());
  KUBE_RETURN_IF_ERROR(
      ChangeShelf(shelves, "art", [](Shelf& shelf) { shelf.spec.topic = "all about paintings"; }));
  KUBE_RETURN_IF_ERROR(play.Settle());
  KUBE_RETURN_IF_ERROR(ChangeShelf(shelves, "art", [](Shelf& shelf) { shelf.spec.books = 1; }));
  KUBE_RETURN_IF_ERROR(play.Pause());
  KUBE_RETURN_IF_ERROR(shelves.Delete(Context(), "biology"));
  return play.Settle();
}

absl::Status LifeBesideAnArchive(OperatorWorld::Play& play) {
  const ShelfClient shelves = Shelves(play.client());
  KUBE_RETURN_IF_ERROR(CreateCatalogue(play.client()));
  Shelf shelf;
  shelf.metadata.name = "art";
  meta::AddFinalizer(shelf, kArchive);
  KUBE_RETURN_IF_ERROR(shelves.Create(Context(), shelf));
  KUBE_RETURN_IF_ERROR(Annotate(shelves, "art"));
  KUBE_RETURN_IF_ERROR(play.Settle());
  KUBE_RETURN_IF_ERROR(Annotate(shelves, "art"));
  return play.Settle();
}

absl::Status LifeWithARival(OperatorWorld::Play& play) {
  const ShelfClient shelves = Shelves(play.client());
  KUBE_RETURN_IF_ERROR(CreateShelf(shelves, "art", 1));
  for (int i = 0; i < 10; ++i) {
    KUBE_RETURN_IF_ERROR(base::SleepFor(Context(), absl::Seconds(5)));
    KUBE_RETURN_IF_ERROR(
        ChangeShelf(shelves, "art", [](Shelf& shelf) { shelf.spec.keeper = "rival"; }));
  }
  return play.Settle();
}

}  // namespace kube::planted_bugs
