#include "examples/testing/objects.h"

#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/yaml/yaml_documents.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "clientset/discovery/discovery_client.h"
#include "clientset/discovery/memory_cache.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/rest/client.h"
#include "clientset/restmapper/deferred_discovery_rest_mapper.h"

namespace examples {
namespace {

using kube::unstructured::Unstructured;
using kube::unstructured::Value;

using Visit =
    absl::FunctionRef<absl::Status(const kube::dynamic::ResourceClient&, const Unstructured&)>;

// Calls `visit` with each object of the file, and a client for its resource and namespace.
absl::Status EachObject(const kube::Context& ctx, const kube::rest::Client& client,
                        const std::string& path, Visit visit) {
  std::ifstream file(path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  if (file.fail()) return absl::NotFoundError(absl::StrCat("read ", path, ": cannot open"));
  // A definition in the file may make kinds that discovery did not have a moment ago.
  const kube::restmapper::DeferredDiscoveryRestMapper mapper(
      std::make_shared<kube::discovery::MemoryCache>(
          std::make_shared<kube::discovery::DiscoveryClient>(client)),
      {.negative_ttl = absl::ZeroDuration()});
  const kube::dynamic::DynamicClient resources(client);
  kube::codec::YamlDocuments documents(text);
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::optional<kube::codec::YamlDocument> document, documents.Next(),
                          "read ", path);
    if (!document.has_value()) return absl::OkStatus();
    const std::string place = absl::StrCat(path, ", line ", document->first_line);
    KUBE_ASSIGN_OR_RETURN(Value value, kube::unstructured::ParseYaml(document->text), place);
    if (value.object() == nullptr) continue;  // only comments
    const Unstructured object{std::move(*value.object())};
    const kube::schema::GroupVersionKind kind = object.gvk();
    KUBE_ASSIGN_OR_RETURN(const kube::restmapper::RestMapping mapping,
                          mapper.RestMappingFor(ctx, {.group = kind.group, .kind = kind.kind},
                                                std::vector<std::string>{kind.version}),
                          place);
    absl::string_view namespace_name = object.namespace_name();
    if (mapping.scope == kube::Scope::kNamespaced && namespace_name.empty()) {
      namespace_name = "default";
    }
    KUBE_RETURN_IF_ERROR(
        visit(resources.Resource(mapping.resource).Namespace(namespace_name), object), place);
  }
}

absl::Status CreateObject(const kube::Context& ctx, const kube::dynamic::ResourceClient& resource,
                          const Unstructured& object) {
  KUBE_ASSIGN_OR_RETURN(Unstructured created, resource.Create(ctx, object));
  const Value* const status = object.object.find("status");
  if (status == nullptr) return absl::OkStatus();
  created.object["status"] = *status;
  return resource.UpdateStatus(ctx, created).status();
}

absl::Status ApplyChange(const kube::Context& ctx, const kube::dynamic::ResourceClient& resource,
                         const Unstructured& object) {
  const std::string name(object.name());
  if (object.object.contains("$patch")) return resource.Delete(ctx, name);
  KUBE_ASSIGN_OR_RETURN(const std::string json,
                        kube::unstructured::EncodeJson(Value(object.object)));
  std::vector<std::string> subresources;
  if (object.object.contains("status")) subresources.push_back("status");
  const absl::Status merged =
      resource.Patch(ctx, name, kube::patch::PatchType::kMerge, json, {}, subresources).status();
  if (!kube::errors::IsNotFound(merged) || !subresources.empty()) return merged;
  return resource.Create(ctx, object).status();
}

}  // namespace

absl::Status CreateObjects(const kube::Context& ctx, const kube::rest::Client& client,
                           const std::string& path) {
  return EachObject(ctx, client, path, [&](const auto& resource, const Unstructured& object) {
    return CreateObject(ctx, resource, object);
  });
}

absl::Status ApplyChanges(const kube::Context& ctx, const kube::rest::Client& client,
                          const std::string& path) {
  return EachObject(ctx, client, path, [&](const auto& resource, const Unstructured& object) {
    return ApplyChange(ctx, resource, object);
  });
}

}  // namespace examples
