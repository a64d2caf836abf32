#include "envtest/crds.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apiextensions/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/codec/stream/object_documents.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/type_meta.h"
#include "apimachinery/codec/yaml/yaml_to_json.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/internal/manifest_files.h"

namespace kube::envtest {
namespace {

namespace apiextensionsv1 = api::apiextensions::v1;
using apiextensionsv1::CustomResourceDefinition;

constexpr typed::Resource kDefinitions = {.group = "apiextensions.k8s.io",
                                          .version = "v1",
                                          .plural = "customresourcedefinitions",
                                          .kind = "CustomResourceDefinition",
                                          .namespaced = false,
                                          .built_in = true};
constexpr absl::string_view kApiVersion = "apiextensions.k8s.io/v1";
constexpr absl::Duration kPollInterval = absl::Milliseconds(100);

using Definitions =
    typed::TypedClient<CustomResourceDefinition, apiextensionsv1::CustomResourceDefinitionList>;

Definitions ClientOf(const rest::Client& client) { return Definitions(client, kDefinitions); }

// ---- files

// Returns nullopt if the document is not a CustomResourceDefinition.
absl::StatusOr<std::optional<CustomResourceDefinition>> Decode(
    const codec::ObjectDocument& document) {
  if (document.is_protobuf) return std::nullopt;
  KUBE_ASSIGN_OR_RETURN(const codec::JsonFromYaml json,
                        codec::YamlToJson(document.text, {.first_line = document.first_line}));
  if (json.json == "null") return std::nullopt;
  KUBE_ASSIGN_OR_RETURN(const codec::TypeMeta type, codec::TypeMetaOfJson(json.json));
  if (type.kind != kDefinitions.kind) return std::nullopt;
  if (type.api_version != kApiVersion) {
    return absl::InvalidArgumentError(absl::StrCat("unsupported apiVersion \"", type.api_version,
                                                   "\", expected \"", kApiVersion, "\""));
  }
  KUBE_ASSIGN_OR_RETURN(
      CustomResourceDefinition definition,
      codec::DecodeYaml<CustomResourceDefinition>(document.text, {}, document.first_line));
  return definition;
}

absl::Status ReadFile(const std::string& path, CustomResourceDefinitions& found) {
  KUBE_ASSIGN_OR_RETURN(const std::string text, internal::ReadManifestFile(path));
  const codec::PaddedBuffer buffer(text);
  codec::ObjectDocuments documents(buffer);
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::optional<codec::ObjectDocument> document, documents.Next(),
                          "read \"", path, "\"");
    if (!document.has_value()) return absl::OkStatus();
    KUBE_ASSIGN_OR_RETURN(std::optional<CustomResourceDefinition> definition, Decode(*document),
                          "read \"", path, "\", document at line ", document->first_line);
    if (definition.has_value()) found.push_back(*std::move(definition));
  }
}

// ---- servers

absl::Status Install(const Context& ctx, const Definitions& client,
                     const CustomResourceDefinition& definition) {
  const absl::Status created = client.Create(ctx, definition).status();
  if (!errors::IsAlreadyExists(created)) return created;
  return client
      .Edit(ctx, definition.metadata.name.view(),
            [&](CustomResourceDefinition& there) {
              there.spec = definition.spec;
              for (const auto& [key, value] : definition.metadata.labels) {
                there.metadata.labels[key] = value;
              }
              for (const auto& [key, value] : definition.metadata.annotations) {
                there.metadata.annotations[key] = value;
              }
              return absl::OkStatus();
            })
      .status();
}

// Returns OK if the definition is established, UNAVAILABLE if it is not yet.
absl::Status CheckEstablished(const CustomResourceDefinition& definition) {
  for (const auto& condition : definition.status.conditions) {
    if (condition.type == "NamesAccepted" && condition.status == "False") {
      return absl::FailedPreconditionError(absl::StrCat(
          "names are not accepted: ", condition.reason.view(), ": ", condition.message.view()));
    }
    if (condition.type == "Established" && condition.status == "True") return absl::OkStatus();
  }
  return absl::UnavailableError("not established");
}

absl::Status CheckServed(const Context& ctx, const rest::Client& client,
                         const CustomResourceDefinition& definition) {
  KUBE_ASSIGN_OR_RETURN(const CustomResourceDefinition there,
                        ClientOf(client).Get(ctx, definition.metadata.name.view()));
  KUBE_RETURN_IF_ERROR(CheckEstablished(there));
  for (const auto& version : there.spec.versions) {
    if (!version.served) continue;
    const typed::TypedClient<unstructured::Unstructured, unstructured::UnstructuredList> objects(
        client, {.group = there.spec.group.view(),
                 .version = version.name.view(),
                 .plural = there.spec.names.plural.view(),
                 .kind = there.spec.names.kind.view(),
                 .namespaced = there.spec.scope == "Namespaced"});
    api::meta::v1::ListOptions one;
    one.limit = 1;
    const absl::Status listed = objects.List(ctx, one).status();
    if (errors::IsNotFound(listed)) {
      return absl::UnavailableError(
          absl::StrCat("version ", version.name.view(), " is not served"));
    }
    if (!listed.ok()) return listed;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CustomResourceDefinitions> ReadCrds(const std::vector<std::string>& paths) {
  CustomResourceDefinitions found;
  for (const std::string& path : paths) {
    KUBE_ASSIGN_OR_RETURN(const std::vector<std::string> files, internal::ManifestFiles(path));
    for (const std::string& file : files) KUBE_RETURN_IF_ERROR(ReadFile(file, found));
  }
  return found;
}

absl::StatusOr<CustomResourceDefinitions> InstallCrds(const Context& ctx,
                                                      const rest::Client& client,
                                                      const CrdOptions& options) {
  KUBE_ASSIGN_OR_RETURN(const CustomResourceDefinitions read, ReadCrds(options.paths));
  std::map<std::string, CustomResourceDefinition> by_name;
  for (const CustomResourceDefinition& each : read) by_name[std::string(each.metadata.name)] = each;
  for (const CustomResourceDefinition& each : options.definitions) {
    by_name[std::string(each.metadata.name)] = each;
  }
  CustomResourceDefinitions installed;
  for (const auto& [name, definition] : by_name) {
    KUBE_RETURN_IF_ERROR(Install(ctx, ClientOf(client), definition), "install definition \"", name,
                         "\"");
    installed.push_back(definition);
  }
  if (options.timeout > absl::ZeroDuration()) {
    KUBE_RETURN_IF_ERROR(WaitForCrds(ctx, client, installed, options.timeout));
  }
  return installed;
}

absl::Status WaitForCrds(const Context& ctx, const rest::Client& client,
                         const CustomResourceDefinitions& definitions, absl::Duration timeout) {
  const Context until = WithTimeout(ctx, timeout);
  for (const CustomResourceDefinition& definition : definitions) {
    absl::Status lacks;
    const absl::Status waited =
        base::PollUntil(until, kPollInterval, base::FirstPoll::kAtOnce,
                        [&](const Context& poll) -> absl::StatusOr<bool> {
                          absl::Status now = CheckServed(poll, client, definition);
                          if (now.ok()) return true;
                          const bool later = absl::IsUnavailable(now) || errors::IsNotFound(now);
                          if (!later) return now;
                          lacks = std::move(now);
                          return false;
                        });
    if (waited.ok()) continue;
    const bool known = absl::IsDeadlineExceeded(waited) && !lacks.ok();
    return base::Annotate(
        known ? absl::DeadlineExceededError(lacks.message()) : waited,
        absl::StrCat("wait for definition \"", definition.metadata.name.view(), "\""));
  }
  return absl::OkStatus();
}

absl::Status UninstallCrds(const Context& ctx, const rest::Client& client,
                           const CustomResourceDefinitions& definitions) {
  for (const CustomResourceDefinition& definition : definitions) {
    const absl::Status deleted = ClientOf(client).Delete(ctx, definition.metadata.name.view());
    if (!deleted.ok() && !errors::IsNotFound(deleted)) return deleted;
  }
  return absl::OkStatus();
}

}  // namespace kube::envtest
