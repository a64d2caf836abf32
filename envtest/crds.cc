#include "envtest/crds.h"

#include <algorithm>
#include <map>
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
#include "apimachinery/errors/predicates.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/internal/manifest_documents.h"
#include "envtest/webhook_host.h"

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

// Adds the document's definition to `found` if it is one.
absl::Status Decode(const internal::ManifestDocument& document, CustomResourceDefinitions& found) {
  if (document.type.kind != kDefinitions.kind) return absl::OkStatus();
  if (document.type.api_version != kApiVersion) {
    return absl::InvalidArgumentError(absl::StrCat("unsupported apiVersion \"",
                                                   document.type.api_version, "\", expected \"",
                                                   kApiVersion, "\""));
  }
  KUBE_ASSIGN_OR_RETURN(
      CustomResourceDefinition definition,
      codec::DecodeYaml<CustomResourceDefinition>(document.text, {}, document.first_line));
  found.push_back(std::move(definition));
  return absl::OkStatus();
}

// ---- conversion

bool IsConverted(const CrdOptions& options, absl::string_view name) {
  return std::find(options.converted.begin(), options.converted.end(), name) !=
         options.converted.end();
}

// Leads conversion webhooks to the host.
void Redirect(const CrdOptions& options, CustomResourceDefinition& definition) {
  if (options.webhooks == nullptr) return;
  auto& conversion = definition.spec.conversion;
  if (IsConverted(options, definition.metadata.name.view())) {
    conversion = options.webhooks->Conversion();
  } else if (conversion && conversion->webhook && conversion->webhook->client_config) {
    options.webhooks->Redirect(*conversion->webhook->client_config);
  }
}

absl::Status CheckConverted(const CrdOptions& options,
                            const std::map<std::string, CustomResourceDefinition>& definitions) {
  for (const std::string& name : options.converted) {
    if (definitions.find(name) == definitions.end()) {
      return absl::NotFoundError(
          absl::StrCat("install definition \"", name, "\": it is in CrdOptions::converted only"));
    }
    if (options.webhooks == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("install definition \"", name,
                       "\": it is to be converted, but there is no webhook host"));
    }
  }
  return absl::OkStatus();
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

absl::StatusOr<CustomResourceDefinitions> ReadCrds(const std::vector<std::string>& paths,
                                                   absl::string_view manifest) {
  CustomResourceDefinitions found;
  KUBE_RETURN_IF_ERROR(internal::VisitManifests(
      paths, manifest,
      [&found](const internal::ManifestDocument& document) { return Decode(document, found); }));
  return found;
}

absl::StatusOr<CustomResourceDefinitions> InstallCrds(const Context& ctx,
                                                      const rest::Client& client,
                                                      const CrdOptions& options) {
  KUBE_ASSIGN_OR_RETURN(const CustomResourceDefinitions read,
                        ReadCrds(options.paths, options.manifest));
  std::map<std::string, CustomResourceDefinition> by_name;
  for (const CustomResourceDefinition& each : read) by_name[std::string(each.metadata.name)] = each;
  for (const CustomResourceDefinition& each : options.definitions) {
    by_name[std::string(each.metadata.name)] = each;
  }
  KUBE_RETURN_IF_ERROR(CheckConverted(options, by_name));
  CustomResourceDefinitions installed;
  for (auto& [name, definition] : by_name) {
    Redirect(options, definition);
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
