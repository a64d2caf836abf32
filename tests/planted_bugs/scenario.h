#ifndef TESTS_PLANTED_BUGS_SCENARIO_H_
#define TESTS_PLANTED_BUGS_SCENARIO_H_

#include "absl/status/status.h"
#include "clientset/rest/client.h"
#include "controller/testing/audit_finding.h"
#include "controller/testing/operator_world.h"
#include "controller/testing/operator_world_options.h"
#include "gtest/gtest.h"
#include "tests/planted_bugs/shelf.client.kube.h"

// What all planted operators have to cope with.
namespace kube::planted_bugs {

// Returns the options of a world with the definition of Shelf, without faults, and with one run for
// each of a few seeds.
controller::OperatorWorldOptions ShelfWorld();

// Returns a client of the shelves that the scenarios have.
::library::v1::ShelfClient Shelves(const rest::Client& client);

// Runs the scenario, and succeeds if one of the findings that end the search is of this kind.
testing::AssertionResult Finds(controller::OperatorWorld& world,
                               controller::OperatorWorld::Scenario scenario,
                               controller::AuditKind kind);

// Creates the catalogue, with an entry that nobody removes.
absl::Status CreateCatalogue(const rest::Client& client);

// Creates two shelves, changes one and deletes the other, with time between, while things go wrong.
absl::Status LifeOfShelves(controller::OperatorWorld::Play& play);

// Does the same, while another program annotates the shelves and has a finalizer on one of them.
absl::Status LifeBesideAnArchive(controller::OperatorWorld::Play& play);

// Lets a shelf have a keeper, while somebody else sets another keeper again and again.
absl::Status LifeWithARival(controller::OperatorWorld::Play& play);

}  // namespace kube::planted_bugs

#endif  // TESTS_PLANTED_BUGS_SCENARIO_H_
