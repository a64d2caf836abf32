#include "envtest/webhooks.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/rest/client.h"
#include "clientset/typed/create_or_edit.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/internal/manifest_documents.h"
#include "envtest/webhook_host.h"

namespace kube::envtest {
namespace {

namespace registrationv1 = api::admissionregistration::v1;
using registrationv1::MutatingWebhookConfiguration;
using registrationv1::ValidatingWebhookConfiguration;

constexpr typed::Resource kMutating = {.group = "admissionregistration.k8s.io",
                                       .version = "v1",
                                       .plural = "mutatingwebhookconfigurations",
                                       .kind = "MutatingWebhookConfiguration",
                                       .namespaced = false,
                                       .built_in = true};
constexpr typed::Resource kValidating = {.group = "admissionregistration.k8s.io",
                                         .version = "v1",
                                         .plural = "validatingwebhookconfigurations",
                                         .kind = "ValidatingWebhookConfiguration",
                                         .namespaced = false,
                                         .built_in = true};
constexpr absl::string_view kApiVersion = "admissionregistration.k8s.io/v1";
constexpr absl::Duration kCleanUpTimeout = absl::Seconds(10);

using MutatingClient = typed::TypedClient<MutatingWebhookConfiguration,
                                          registrationv1::MutatingWebhookConfigurationList>;
using ValidatingClient = typed::TypedClient<ValidatingWebhookConfiguration,
                                            registrationv1::ValidatingWebhookConfigurationList>;

// ---- files

// Adds a configuration in place of one of the same name.
template <typename T>
void Put(T configuration, std::vector<T>& found) {
  const auto same = std::find_if(found.begin(), found.end(), [&configuration](const T& each) {
    return each.metadata.name == configuration.metadata.name;
  });
  if (same == found.end()) {
    found.push_back(std::move(configuration));
  } else {
    *same = std::move(configuration);
  }
}

template <typename T>
absl::Status DecodeInto(const internal::ManifestDocument& document, std::vector<T>& found) {
  if (document.type.api_version != kApiVersion) {
    return absl::InvalidArgumentError(absl::StrCat("unsupported apiVersion \"",
                                                   document.type.api_version, "\", expected \"",
                                                   kApiVersion, "\""));
  }
  KUBE_ASSIGN_OR_RETURN(T configuration,
                        codec::DecodeYaml<T>(document.text, {}, document.first_line));
  Put(std::move(configuration), found);
  return absl::OkStatus();
}

absl::Status Decode(const internal::ManifestDocument& document, WebhookConfigurations& found) {
  if (document.type.kind == kMutating.kind) return DecodeInto(document, found.mutating);
  if (document.type.kind == kValidating.kind) return DecodeInto(document, found.validating);
  return absl::OkStatus();
}

// ---- servers

// Creates the configuration, or gives an existing one its webhooks, labels and annotations.
template <typename ClientT, typename T>
absl::Status Install(const Context& ctx, const ClientT& client, const T& configuration) {
  const auto change = [&configuration](T& there) {
    there.webhooks = configuration.webhooks;
    for (const auto& [key, value] : configuration.metadata.labels) {
      there.metadata.labels[key] = value;
    }
    for (const auto& [key, value] : configuration.metadata.annotations) {
      there.metadata.annotations[key] = value;
    }
    return absl::OkStatus();
  };
  return typed::CreateOrEdit(ctx, client, configuration.metadata.name.view(), change).status();
}

// Installs configurations of one kind at the host.
template <typename ClientT, typename T>
absl::Status InstallAll(const Context& ctx, const ClientT& client, absl::string_view kind,
                        WebhookHost& host, std::vector<T>& configurations) {
  for (T& each : configurations) {
    for (auto& webhook : each.webhooks) host.Redirect(webhook.client_config);
    KUBE_RETURN_IF_ERROR(Install(ctx, client, each), "install ", kind, " \"",
                         each.metadata.name.view(), "\"");
  }
  return absl::OkStatus();
}

template <typename ClientT, typename T>
absl::Status UninstallAll(const Context& ctx, const ClientT& client, absl::string_view kind,
                          const std::vector<T>& configurations) {
  absl::Status result;
  for (const T& each : configurations) {
    const absl::string_view name = each.metadata.name.view();
    const absl::Status deleted = client.Delete(ctx, name);
    if (deleted.ok() || errors::IsNotFound(deleted)) continue;
    result.Update(base::Annotate(deleted, absl::StrCat("uninstall ", kind, " \"", name, "\"")));
  }
  return result;
}

}  // namespace

absl::StatusOr<WebhookConfigurations> ReadWebhooks(const std::vector<std::string>& paths,
                                                   absl::string_view manifest) {
  WebhookConfigurations found;
  KUBE_RETURN_IF_ERROR(internal::VisitManifests(
      paths, manifest,
      [&found](const internal::ManifestDocument& document) { return Decode(document, found); }));
  return found;
}

absl::StatusOr<WebhookConfigurations> InstallWebhooks(const Context& ctx,
                                                      const rest::Client& client, WebhookHost& host,
                                                      const WebhookOptions& options) {
  KUBE_ASSIGN_OR_RETURN(WebhookConfigurations all, ReadWebhooks(options.paths, options.manifest));
  for (const auto& each : options.configurations.mutating) Put(each, all.mutating);
  for (const auto& each : options.configurations.validating) Put(each, all.validating);
  absl::Status installed =
      InstallAll(ctx, MutatingClient(client, kMutating), kMutating.kind, host, all.mutating);
  if (installed.ok()) {
    installed = InstallAll(ctx, ValidatingClient(client, kValidating), kValidating.kind, host,
                           all.validating);
  }
  if (!installed.ok()) {
    // What stays would keep others from writing when the host is gone.
    UninstallWebhooks(WithTimeout(WithoutCancel(ctx), kCleanUpTimeout), client, all).IgnoreError();
    return installed;
  }
  return all;
}

absl::Status UninstallWebhooks(const Context& ctx, const rest::Client& client,
                               const WebhookConfigurations& configurations) {
  absl::Status result =
      UninstallAll(ctx, MutatingClient(client, kMutating), kMutating.kind, configurations.mutating);
  result.Update(UninstallAll(ctx, ValidatingClient(client, kValidating), kValidating.kind,
                             configurations.validating));
  return result;
}

}  // namespace kube::envtest
