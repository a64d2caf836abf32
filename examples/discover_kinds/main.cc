// discover_kinds [--api-group GROUP]: prints the kinds that a server has, in their preferred
// version, with short names and verbs, as kubectl api-resources does.
//
//   NAME         SHORTNAMES  APIVERSION  NAMESPACED  KIND        VERBS
//   deployments  deploy      apps/v1     true        Deployment  create,delete,get,list,...
#include <iostream>
#include <string>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/discovery/discovery_client.h"
#include "clientset/discovery/server_resources.h"
#include "clientset/rest/config.h"

namespace metav1 = kube::api::meta::v1;

ABSL_FLAG(std::string, api_group, "*", "the group to print; \"\": the core group; \"*\": all");

namespace {

std::string Join(const kube::List<kube::String>& texts) {
  return absl::StrJoin(texts, ",", [](std::string* out, const kube::String& text) {
    out->append(text.data(), text.size());
  });
}

void Print(absl::string_view group_version, const metav1::APIResource& resource) {
  std::cout << resource.name << "\t" << Join(resource.short_names) << "\t" << group_version << "\t"
            << (resource.namespaced ? "true" : "false") << "\t" << resource.kind << "\t"
            << Join(resource.verbs) << "\n";
}

absl::Status Run(const kube::Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(kube::rest::Config config,
                        kube::clientcmd::LoadDefaultConfig(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(kube::discovery::DiscoveryClient server,
                        kube::discovery::MakeDiscoveryClient(config));
  KUBE_ASSIGN_OR_RETURN(const kube::discovery::ServerResources all,
                        server.ServerPreferredResources(ctx));
  // If the server of some group is down, the others are known all the same.
  if (!all.status().ok()) std::cerr << all.status().message() << "\n";

  const std::string wanted = absl::GetFlag(FLAGS_api_group);
  std::cout << "NAME\tSHORTNAMES\tAPIVERSION\tNAMESPACED\tKIND\tVERBS\n";
  for (const kube::discovery::ResourceList& list : all.resources) {
    KUBE_ASSIGN_OR_RETURN(const kube::schema::GroupVersion group_version,
                          kube::schema::ParseGroupVersion(list->group_version));
    if (wanted != "*" && wanted != group_version.group) continue;
    for (const metav1::APIResource& resource : list->resources) {
      Print(list->group_version.view(), resource);
    }
  }
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  const absl::Status status = Run(kube::WithTimeout(kube::SignalContext(), absl::Minutes(1)));
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
