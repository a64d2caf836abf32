#ifndef CONTROLLER_MANAGER_TESTING_MANAGER_WORLD_H_
#define CONTROLLER_MANAGER_TESTING_MANAGER_WORLD_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "apiserver/handler.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "controller/manager/runnable.h"
#include "controller/manager/testing/fake_controller.h"

namespace kube::controller {

// A simulated cluster, with a manager that has no endpoints and a journal. Thread-compatible.
struct ManagerWorld {
  explicit ManagerWorld(ManagerOptions options = {});

  // Adds a function that writes into the journal when it begins and ends.
  void AddRunnable(const std::string& name, Phase phase);
  // Makes a controller and registers it.
  FakeController& AddController(FakeControllerOptions options);
  // Returns who holds the lease of WithElection; "no lease" if there is none.
  std::string Holder();

  apiserver::ApiHandler server;
  Journal journal;
  std::vector<std::unique_ptr<FakeController>> controllers;
  std::unique_ptr<Manager> manager;  // destroyed first, as it may still run controllers
};

// Runs a test in virtual time, without a log, and expects that it comes to its end.
void Simulate(const std::function<void()>& test);

// Returns options with leader election, as "me".
ManagerOptions WithElection();

}  // namespace kube::controller

#endif  // CONTROLLER_MANAGER_TESTING_MANAGER_WORLD_H_
