#include "envtest/manifests.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/restmapper/errors.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/decode_unstructured.h"
#include "apimachinery/unstructured/unstructured.h"
#include "clientset/discovery/discovery_client.h"
#include "clientset/discovery/memory_cache.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/rest/client.h"
#include "clientset/restmapper/deferred_discovery_rest_mapper.h"
#include "envtest/crds.h"
#include "envtest/internal/manifest_documents.h"

namespace kube::envtest {
namespace {

using api::apiextensions::v1::CustomResourceDefinition;
using unstructured::Unstructured;

constexpr absl::Duration kPollInterval = absl::Milliseconds(50);

// Applies the documents of one call, and remembers those that were left out.
class Installer {
 public:
  Installer(const Context& ctx, const rest::Client& client, const ManifestOptions& options)
      : ctx_(ctx),
        rest_client_(client),
        client_(client),
        mapper_(std::make_shared<discovery::MemoryCache>(
            std::make_shared<discovery::DiscoveryClient>(client))),
        options_(options) {}

  absl::Status Install(const internal::ManifestDocument& document) {
    KUBE_ASSIGN_OR_RETURN(const Unstructured object,
                          unstructured::DecodeUnstructured(document.json));
    if (object.name().empty()) {
      return absl::InvalidArgumentError(absl::StrCat("the ", object.kind(), " has no name"));
    }
    const std::string what = absl::StrCat(object.kind(), " \"", object.name(), "\"");
    const schema::GroupVersionKind kind = object.gvk();
    const absl::StatusOr<restmapper::RestMapping> mapping =
        mapper_.RestMappingFor(ctx_, kind.group_kind(), {kind.version});
    if (options_.skip_unknown_kinds && restmapper::IsNoMatch(mapping.status())) {
      left_out_.push_back(what);
      return absl::OkStatus();
    }
    KUBE_RETURN_IF_ERROR(mapping, "apply ", what);
    std::string space;
    if (mapping->scope == Scope::kNamespaced) {
      space = std::string(object.namespace_name());
      if (space.empty()) space = options_.namespace_name;
    }
    KUBE_RETURN_IF_ERROR(client_.Resource(mapping->resource)
                             .Namespace(space)
                             .Apply(ctx_, object.name(), object,
                                    {.force = true, .field_manager = options_.field_manager}),
                         "apply ", what);
    return AwaitDefinition(document, kind);
  }

  std::vector<std::string> left_out() && { return std::move(left_out_); }

 private:
  // If the document is a definition, waits until its kinds are served.
  absl::Status AwaitDefinition(const internal::ManifestDocument& document,
                               const schema::GroupVersionKind& kind) {
    if (kind.group != "apiextensions.k8s.io" || kind.kind != "CustomResourceDefinition") {
      return absl::OkStatus();
    }
    KUBE_ASSIGN_OR_RETURN(const auto definition,
                          codec::DecodeJson<CustomResourceDefinition>(document.json));
    mapper_.Reset();
    if (options_.timeout <= absl::ZeroDuration()) return absl::OkStatus();
    KUBE_RETURN_IF_ERROR(WaitForCrds(ctx_, rest_client_, {definition}, options_.timeout));
    return AwaitDiscovery({.group = std::string(definition.spec.group),
                           .kind = std::string(definition.spec.names.kind)});
  }

  // The discovery documents of a real server tell of a kind a moment after it is served.
  absl::Status AwaitDiscovery(const schema::GroupKind& kind) {
    const Context ctx = WithTimeout(ctx_, options_.timeout);
    while (true) {
      const absl::Status found = mapper_.RestMappingFor(ctx, kind, {}).status();
      if (!restmapper::IsNoMatch(found)) return found;
      KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, kPollInterval), found.message());
      mapper_.Reset();
    }
  }

  const Context& ctx_;
  const rest::Client& rest_client_;
  const dynamic::DynamicClient client_;
  restmapper::DeferredDiscoveryRestMapper mapper_;
  const ManifestOptions& options_;
  std::vector<std::string> left_out_;
};

}  // namespace

absl::StatusOr<std::vector<std::string>> InstallManifests(const Context& ctx,
                                                          const rest::Client& client,
                                                          const ManifestOptions& options) {
  Installer installer(ctx, client, options);
  KUBE_RETURN_IF_ERROR(internal::VisitManifests(
      options.paths, options.manifest, [&installer](const internal::ManifestDocument& document) {
        return installer.Install(document);
      }));
  return std::move(installer).left_out();
}

}  // namespace kube::envtest
