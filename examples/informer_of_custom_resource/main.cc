// informer_of_custom_resource [--namespace NS]: keeps the CronTabs of a namespace in memory,
// without a C++ type for them, and prints how a handler is notified of one that is created, changed
// and deleted. The CronTab of the Kubernetes documentation must be installed.
//
//   backup: 0 3 * * *
//   report: 0 8 * * 1
//   added demo: 0 1 * * *
//   updated demo: 0 1 * * * -> 0 2 * * *
//   deleted demo: 0 2 * * *
#include <iostream>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/unstructured.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/rest/client.h"
#include "informers/dynamic_shared_informer_factory.h"
#include "informers/event_handler.h"

using kube::unstructured::Unstructured;

namespace {

constexpr absl::string_view kDemo = R"(
apiVersion: stable.example.com/v1
kind: CronTab
metadata: {name: demo}
spec: {schedule: "0 1 * * *"}
)";

// The object may have any shape: a member that is missing or no string is not an error here.
std::string Schedule(const Unstructured& cron_tab) {
  const auto schedule = kube::unstructured::NestedString(cron_tab.object, {"spec", "schedule"});
  return schedule.ok() ? std::string(schedule->value_or("none")) : "malformed";
}

// Prints every change, but not the objects that exist already; sets `deleted` at the first
// deletion.
kube::informers::EventHandler<Unstructured> PrintChanges(kube::base::Event& deleted) {
  return {.on_add =
              [](const kube::informers::AddEvent<Unstructured>& event) {
                if (event.is_in_initial_list) return;
                std::cout << "added " << event.object->name() << ": " << Schedule(*event.object)
                          << "\n";
              },
          .on_update =
              [](const kube::informers::UpdateEvent<Unstructured>& event) {
                std::cout << "updated " << event.object->name() << ": "
                          << Schedule(*event.old_object) << " -> " << Schedule(*event.object)
                          << "\n";
              },
          .on_delete =
              [&deleted](const kube::informers::DeleteEvent<Unstructured>& event) {
                std::cout << "deleted " << event.object->name() << ": " << Schedule(*event.object)
                          << "\n";
                deleted.Set();
              }};
}

absl::Status Run(const kube::Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(kube::rest::Client client, kube::rest::MakeClient(loaded.config));
  const std::string& ns = loaded.chosen_namespace.name;
  const kube::dynamic::DynamicClient dynamic(client);
  const kube::schema::GroupVersionResource resource = {
      .group = "stable.example.com", .version = "v1", .resource = "crontabs"};

  kube::base::Event deleted;  // before the factory, whose handler uses it
  kube::informers::DynamicSharedInformerFactory factory(dynamic, {.namespace_name = ns});
  auto& informer = factory.ForResource(resource);
  KUBE_RETURN_IF_ERROR(informer.AddEventHandler(PrintChanges(deleted)));
  KUBE_RETURN_IF_ERROR(factory.Start(ctx));
  // Ends at once if the definition is not installed, or may not be read.
  KUBE_RETURN_IF_ERROR(factory.WaitForCacheSync(ctx, {.fail_fast = true}));

  std::map<std::string, std::string> schedules;  // sorted: a list from a cache has no order
  for (const Unstructured& cron_tab : informer.lister().Namespace(ns).List()) {
    schedules[std::string(cron_tab.name())] = Schedule(cron_tab);
  }
  for (const auto& [name, schedule] : schedules) std::cout << name << ": " << schedule << "\n";

  const auto cron_tabs = dynamic.Resource(resource).Namespace(ns);
  KUBE_ASSIGN_OR_RETURN(const auto demo, kube::codec::DecodeYaml<Unstructured>(kDemo));
  KUBE_RETURN_IF_ERROR(cron_tabs.Create(ctx, demo));
  const auto later = [](Unstructured& cron_tab) {
    return kube::unstructured::SetNestedField(cron_tab.object, "0 2 * * *", {"spec", "schedule"});
  };
  KUBE_RETURN_IF_ERROR(cron_tabs.Edit(ctx, "demo", later));
  KUBE_RETURN_IF_ERROR(cron_tabs.Delete(ctx, "demo"));
  return deleted.Wait(ctx);
}

}  // namespace

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  const absl::Status status = Run(kube::WithTimeout(kube::SignalContext(), absl::Minutes(1)));
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
