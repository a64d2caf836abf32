// Prints the status page of an operator that does not exist, for a look at it in a browser and for
// its pictures; with the argument --json, the same as JSON.

#include <cstdint>
#include <iostream>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "controller/manager/manager_status.h"
#include "controller/manager/status_page.h"

namespace kube::controller {
namespace {

constexpr absl::Time kNow = absl::FromUnixSeconds(1'700'000'000);

absl::Time Ago(absl::Duration duration) { return kNow - duration; }

ControllerStatus Websites() {
  ControllerStatus status = {.name = "website", .kind = "Website.example.com/v1", .running = true};
  status.queue = {.ready = 1204,
                  .delayed = 2,
                  .parked = 1,
                  .in_work = 2,
                  .oldest_key = "prod/shop",
                  .oldest_age = absl::Seconds(94),
                  .oldest_keys = {{.key = "prod/shop", .age = absl::Seconds(94)},
                                  {.key = "prod/blog", .age = absl::Seconds(93)},
                                  {.key = "staging/shop", .age = absl::Seconds(91)}}};
  status.workers = {{},
                    {.key = "prod/docs",
                     .since = Ago(absl::Seconds(2)),
                     .where = "apply deployments \"prod/docs\""},
                    {.key = "prod/landing-page-of-the-campaign-in-the-autumn",
                     .since = Ago(absl::Seconds(151)),
                     .where = "create bucket \"landing-page-of-the-campaign-in-the-autumn\""}};
  status.last_errors = {
      {.key = "prod/wiki",
       .time = Ago(absl::Seconds(20)),
       .message = "apply deployments \"prod/wiki\": deployments.apps \"wiki\" is forbidden: "
                  "exceeded quota: compute, requested: requests.cpu=2, used: requests.cpu=7, "
                  "limited: requests.cpu=8",
       .failures = 6},
      {.key = "staging/<b>blog</b>",
       .time = Ago(absl::Minutes(12)),
       .message = "spec.replicas: Invalid value: -1: must be greater than or equal to 0",
       .failures = 1}};
  status.reconciles = 48'211;
  status.failed_reconciles = 37;
  return status;
}

ControllerStatus Backups() {
  return {.name = "backup",
          .kind = "Backup.example.com/v1alpha1",
          .waits_for =
              "informer backups.example.com: list backups.example.com: forbidden: User "
              "\"system:serviceaccount:websites:operator\" cannot list resource "
              "\"backups\" in API group \"example.com\" at the cluster scope"};
}

// Has each part of the page, also texts that are long and texts that look like HTML.
ManagerStatus Planted() {
  ManagerStatus status;
  status.name = "website-operator";
  status.version = "1.4.0";
  status.now = kNow;
  status.started = Ago(absl::Hours(53));
  const std::string identity = "website-operator-7c9d8f6b54-x2x7k_5f0c3a52";
  status.leader = {.elected = true,
                   .leads = true,
                   .since = Ago(absl::Hours(52)),
                   .lease = "websites/website-operator",
                   .holder = identity,
                   .identity = identity,
                   .renewals = 93'604,
                   .last_renewal = Ago(absl::Seconds(1))};
  for (const char* name : {"servers", "caches", "leader"}) {
    status.phases.push_back({.name = name, .state = "running", .since = Ago(absl::Hours(52))});
  }
  status.runnables = {
      {.name = "janitor", .phase = "leader", .state = "running", .since = Ago(absl::Hours(52))}};
  status.informers = {{.resource = "websites.example.com/v1",
                       .synced = true,
                       .objects = 5120,
                       .last_event = Ago(absl::Seconds(3))},
                      {.resource = "deployments.apps/v1",
                       .selector = "app.kubernetes.io/managed-by=website-operator",
                       .synced = true,
                       .objects = 5117,
                       .last_event = Ago(absl::Seconds(1))},
                      {.resource = "backups.example.com/v1alpha1",
                       .why_not_synced = "list backups.example.com: forbidden"}};
  status.controllers = {Websites(), Backups()};
  status.requests_per_second = 11.6;
  status.request_rates = {
      {.verb = "patch", .resource = "deployments.apps", .per_second = 7.4, .requests = 101'440},
      {.verb = "patch",
       .resource = "websites.example.com/status",
       .per_second = 3.2,
       .requests = 48'020},
      {.verb = "update",
       .resource = "leases.coordination.k8s.io",
       .per_second = 0.5,
       .requests = 93'604},
      {.verb = "watch", .resource = "deployments.apps", .per_second = 0.02, .requests = 391}};
  status.memory = {{.what = "process, resident", .bytes = int64_t{148} << 20},
                   {.what = "process, anonymous", .bytes = int64_t{131} << 20},
                   {.what = "process, peak resident", .bytes = int64_t{163} << 20}};
  return status;
}

}  // namespace
}  // namespace kube::controller

int main(int argc, char** argv) {
  const bool json = argc > 1 && absl::string_view(argv[1]) == "--json";
  const kube::controller::ManagerStatus status = kube::controller::Planted();
  std::cout << (json ? kube::controller::RenderStatusJson(status)
                     : kube::controller::RenderStatusPage(status));
  return 0;
}
