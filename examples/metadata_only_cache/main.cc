// metadata_only_cache [--namespace NS] [--resource RESOURCE]: keeps only the metadata of config
// maps in memory, or of another resource such as deployments.v1.apps, and compares the memory with
// that of whole objects.
//
//   features: app=web, finalizer example.com/backup
//   settings: no labels
//   metadata: 2 objects, 932 bytes
//   whole objects: 2 objects, 2412 bytes
#include <cstddef>
#include <iostream>
#include <map>
#include <string>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/string.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/metadata/metadata_client.h"
#include "clientset/rest/client.h"
#include "informers/dynamic_shared_informer_factory.h"
#include "listers/memory_usage.h"

namespace informers = kube::informers;
namespace metav1 = kube::api::meta::v1;

ABSL_FLAG(std::string, resource, "configmaps.v1.", "RESOURCE.VERSION.GROUP to keep in memory");

namespace {

// What a program can do with metadata: labels, annotations, owners, finalizers, times of creation
// and deletion are there; spec, status and data are not, and never left the server.
std::string Describe(const metav1::PartialObjectMetadata& object) {
  std::string text;
  for (const auto& [key, value] : object.metadata.labels) {
    absl::StrAppend(&text, text.empty() ? "" : " ", key.view(), "=", value.view());
  }
  if (text.empty()) text = "no labels";
  for (const kube::String& finalizer : object.metadata.finalizers) {
    absl::StrAppend(&text, ", finalizer ", finalizer.view());
  }
  return text;
}

void PrintMemory(absl::string_view what, const kube::listers::MemoryUsage& usage) {
  std::cout << what << ": " << usage.objects << " objects, "
            << usage.object_bytes + usage.shared_bytes << " bytes\n";
}

absl::Status Run(const kube::Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(kube::rest::Client client, kube::rest::MakeClient(loaded.config));
  const auto argument = kube::schema::ParseResourceArg(absl::GetFlag(FLAGS_resource));
  if (!argument.with_version.has_value()) {
    return absl::InvalidArgumentError("--resource must be RESOURCE.VERSION.GROUP");
  }
  const informers::SharedInformerFactoryOptions options = {.namespace_name =
                                                               loaded.chosen_namespace.name};

  informers::MetadataSharedInformerFactory metadata_factory(kube::metadata::MetadataClient(client),
                                                            options);
  auto& metadata = metadata_factory.ForResource(*argument.with_version);
  KUBE_RETURN_IF_ERROR(metadata_factory.Start(ctx));
  KUBE_RETURN_IF_ERROR(metadata_factory.WaitForCacheSync(ctx, {.fail_fast = true}));
  std::map<std::string, std::string> lines;  // sorted: a list from a cache has no order
  for (const metav1::PartialObjectMetadata& object : metadata.lister().List()) {
    lines[std::string(object.metadata.name)] = Describe(object);
  }
  for (const auto& [name, line] : lines) std::cout << name << ": " << line << "\n";

  // The same cache with whole objects, to compare.
  informers::DynamicSharedInformerFactory whole_factory(kube::dynamic::DynamicClient(client),
                                                        options);
  auto& whole = whole_factory.ForResource(*argument.with_version);
  KUBE_RETURN_IF_ERROR(whole_factory.Start(ctx));
  KUBE_RETURN_IF_ERROR(whole_factory.WaitForCacheSync(ctx, {.fail_fast = true}));
  PrintMemory("metadata", metadata.store()->MeasureMemory());
  PrintMemory("whole objects", whole.store()->MeasureMemory());
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  const absl::Status status = Run(kube::WithTimeout(kube::SignalContext(), absl::Minutes(1)));
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
