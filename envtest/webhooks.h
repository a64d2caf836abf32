#ifndef ENVTEST_WEBHOOKS_H_
#define ENVTEST_WEBHOOKS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/client.h"
#include "envtest/webhook_host.h"

// Installs the configurations of admission webhooks in the embedded server or in a real one, so
// that a test has the webhooks of an operator as a cluster has them. (controller-runtime:
// `envtest.WebhookInstallOptions`)
//
//   const auto installed = InstallWebhooks(Context(), client, *host, {.paths = {kFolder}});
//   ASSERT_THAT(installed, IsOk());
//
// Conversion webhooks are in definitions: see InstallCrds. Thread-safe, except for the host.
namespace kube::envtest {

// Configurations of admission webhooks.
struct WebhookConfigurations {
  std::vector<api::admissionregistration::v1::MutatingWebhookConfiguration> mutating = {};
  std::vector<api::admissionregistration::v1::ValidatingWebhookConfiguration> validating = {};

  bool empty() const { return mutating.empty() && validating.empty(); }
};

// Options of InstallWebhooks.
struct WebhookOptions {
  // Files, or directories whose files *.json, *.yaml and *.yml are read in the order of their
  // names, without subdirectories. A file may contain several documents; those of other kinds are
  // skipped. A relative path is one below the working directory, or among the runfiles of a Bazel
  // test: "config/webhook.yaml", or "REPOSITORY/config/webhook.yaml".
  std::vector<std::string> paths = {};
  // More documents, as YAML or JSON.
  std::string manifest = {};
  // Additional configurations.
  WebhookConfigurations configurations = {};

  bool empty() const { return paths.empty() && manifest.empty() && configurations.empty(); }
};

// Reads the configurations of files, directories and a text, as WebhookOptions describes them.
// Returns NOT_FOUND if a path does not exist. Returns INVALID_ARGUMENT, with file and line, if a
// document is malformed or a configuration is not of admissionregistration.k8s.io/v1.
absl::StatusOr<WebhookConfigurations> ReadWebhooks(const std::vector<std::string>& paths,
                                                   absl::string_view manifest = {});

// Leads each webhook that names a service to `host`, and creates the configurations, or replaces
// the webhooks of existing ones. Of several configurations of one kind and name the last one
// counts: those of `paths`, of `manifest`, and of `configurations`. Blocks.
//
// Returns the configurations as they were sent. Returns the errors of ReadWebhooks and of the
// server, which name the configuration; all configurations of the call are then deleted. The
// embedded server calls the webhooks from its answer on, a real one about a second later: wait for
// the first refusal with EventuallyOk, if a test needs it.
absl::StatusOr<WebhookConfigurations> InstallWebhooks(const Context& ctx,
                                                      const rest::Client& client, WebhookHost& host,
                                                      const WebhookOptions& options);

// Deletes the configurations. Those that do not exist are ignored. Blocks. Returns the first error
// of the server, after having tried all of them.
absl::Status UninstallWebhooks(const Context& ctx, const rest::Client& client,
                               const WebhookConfigurations& configurations);

}  // namespace kube::envtest

#endif  // ENVTEST_WEBHOOKS_H_
