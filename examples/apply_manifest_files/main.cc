// apply_manifest_files [--namespace NS] FILE...: creates the objects of YAML files of any kinds, or
// changes those that exist, like a kubectl apply that only adds and changes: a member that has
// vanished from a file stays on the server. But a list is replaced as a whole, with what others
// have added to it.
//
//   configmap/settings created
//   deployment.apps/web created
//   configmap/settings configured
//   deployment.apps/web unchanged
#include <cstddef>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/yaml/yaml_documents.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/unstructured.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/discovery/discovery_client.h"
#include "clientset/discovery/memory_cache.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/rest/client.h"
#include "clientset/restmapper/deferred_discovery_rest_mapper.h"

using kube::unstructured::Unstructured;

namespace {

constexpr char kManager[] = "apply-manifest-files";

// Creates the object, or merges it into the one that exists. Returns what it did, as kubectl says
// it.
absl::StatusOr<std::string> Apply(const kube::Context& ctx,
                                  const kube::dynamic::ResourceClient& client,
                                  const Unstructured& object) {
  const std::string name(object.name());
  const absl::StatusOr<Unstructured> before = client.Get(ctx, name);
  if (kube::errors::IsNotFound(before.status())) {
    KUBE_RETURN_IF_ERROR(client.Create(ctx, object, {.field_manager = kManager}));
    return "created";
  }
  KUBE_RETURN_IF_ERROR(before);
  KUBE_ASSIGN_OR_RETURN(const std::string json, kube::codec::EncodeJson(object));
  KUBE_ASSIGN_OR_RETURN(
      const Unstructured after,
      client.Patch(ctx, name, kube::patch::PatchType::kMerge, json, {.field_manager = kManager}));
  return after.resource_version() == before->resource_version() ? "unchanged" : "configured";
}

// Reads by the stream, since an istreambuf_iterator throws if `path` is a directory.
absl::StatusOr<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path);
  std::string text;
  char part[4096];
  do {
    file.read(part, sizeof(part));
    text.append(part, static_cast<size_t>(file.gcount()));
  } while (file.good());
  if (!file.eof()) {
    return absl::NotFoundError(absl::StrCat("read \"", path, "\": not a readable file"));
  }
  return text;
}

// Applies the documents of a file in their order.
absl::Status ApplyFile(const kube::Context& ctx, const kube::dynamic::DynamicClient& client,
                       const kube::restmapper::RestMapper& mapper,
                       const std::string& default_namespace, const std::string& path) {
  KUBE_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  kube::codec::YamlDocuments documents(text);
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::optional<kube::codec::YamlDocument> document, documents.Next(),
                          path);
    if (!document.has_value()) return absl::OkStatus();
    // Errors name the line in the file.
    KUBE_ASSIGN_OR_RETURN(
        const Unstructured object,
        (kube::codec::DecodeYaml<Unstructured>(document->text, {}, document->first_line)), path);
    if (object.object.empty()) continue;  // nothing but comments

    const auto kind = object.gvk();
    KUBE_ASSIGN_OR_RETURN(const kube::restmapper::RestMapping mapping,
                          mapper.RestMappingFor(ctx, kind.group_kind(), {kind.version}), path,
                          ", line ", document->first_line);
    absl::string_view ns;  // as in kubectl, ignored for objects of the cluster
    if (mapping.scope == kube::Scope::kNamespaced) {
      ns = object.namespace_name();
      if (ns.empty()) ns = default_namespace;
    }
    KUBE_ASSIGN_OR_RETURN(const std::string outcome,
                          Apply(ctx, client.Resource(mapping.resource).Namespace(ns), object), path,
                          ", line ", document->first_line);
    std::cout << absl::AsciiStrToLower(kind.group_kind().ToString()) << "/" << object.name() << " "
              << outcome << "\n";
  }
}

absl::Status Run(const kube::Context& ctx, const std::vector<std::string>& paths) {
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(kube::rest::Client client, kube::rest::MakeClient(loaded.config));
  // Asks the server what it has when the first kind is looked up, and again for a kind that is
  // unknown. A kind whose definition one of the files has just made may be unknown for a moment:
  // then the program fails, and a second run goes on.
  const kube::restmapper::DeferredDiscoveryRestMapper mapper(
      std::make_shared<kube::discovery::MemoryCache>(
          std::make_shared<kube::discovery::DiscoveryClient>(client)),
      {.negative_ttl = absl::Seconds(1)});
  for (const std::string& path : paths) {
    KUBE_RETURN_IF_ERROR(ApplyFile(ctx, kube::dynamic::DynamicClient(client), mapper,
                                   loaded.chosen_namespace.name, path));
  }
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<char*> words = kube::clientcmd::ParseCommandLine(argc, argv);
  if (words.size() < 2) {
    std::cerr << "usage: apply_manifest_files [--namespace NS] FILE...\n";
    return 2;
  }
  const absl::Status status = Run(kube::WithTimeout(kube::SignalContext(), absl::Minutes(5)),
                                  {words.begin() + 1, words.end()});
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
