#ifndef ENVTEST_CRDS_H_
#define ENVTEST_CRDS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/client.h"
#include "envtest/webhook_host.h"

// Installs CustomResourceDefinitions in the embedded server or in a real one, for tests.
// (controller-runtime: `envtest.InstallCRDs`, `WaitForCRDs`, `UninstallCRDs`)
//
//   const auto installed = InstallCrds(Context(), client_, {.paths = {kFolder}});
//   ASSERT_THAT(installed, IsOk());
//
// Thread-safe.
namespace kube::envtest {

using CustomResourceDefinitions = std::vector<api::apiextensions::v1::CustomResourceDefinition>;

// Options of InstallCrds.
struct CrdOptions {
  // Files, or directories whose files *.json, *.yaml and *.yml are read in the order of their
  // names, without subdirectories. A file may contain several documents; those that are not CRDs
  // are skipped. A relative path is one below the working directory, or among the runfiles of a
  // Bazel test: "crds/website.yaml", or "REPOSITORY/crds/website.yaml".
  std::vector<std::string> paths = {};
  // More documents, as YAML or JSON. They replace definitions of the same name from `paths`.
  std::string manifest = {};
  // Additional definitions. They replace those of the same name from `paths` and `manifest`.
  CustomResourceDefinitions definitions = {};
  // Where conversion webhooks are served. Definitions whose conversion names a service are
  // installed with the host's address instead, or with a function of the embedded server. Null, the
  // default: definitions are installed as they are. It must stay for as long as they are used.
  WebhookHost* webhooks = nullptr;
  // Names of definitions, such as "websites.example.com", that are converted by `webhooks` at the
  // path "/convert", whatever they say themselves. (controller-runtime does this for every kind
  // that is convertible in the scheme, and clears the conversion of all others)
  std::vector<std::string> converted = {};
  // How long to wait until all are served. Default: 10 s, as in controller-runtime. Zero: do not
  // wait.
  absl::Duration timeout = absl::Seconds(10);
};

// Reads the definitions of files, directories and a text, as CrdOptions describes them. Returns
// NOT_FOUND if a path does not exist. Returns INVALID_ARGUMENT, with file and line, if a document
// is malformed or a CRD is not of apiextensions.k8s.io/v1.
absl::StatusOr<CustomResourceDefinitions> ReadCrds(const std::vector<std::string>& paths,
                                                   absl::string_view manifest = {});

// Creates the definitions, or updates existing ones, and waits until they are served. Blocks.
// Returns the definitions as they were sent. Returns the errors of ReadCrds, of the server and of
// WaitForCrds; they name the definition. Returns NOT_FOUND or INVALID_ARGUMENT if `converted` names
// a definition that is not among them, or there is no webhook host.
absl::StatusOr<CustomResourceDefinitions> InstallCrds(const Context& ctx,
                                                      const rest::Client& client,
                                                      const CrdOptions& options);

// Waits until each definition is Established and each served version can be listed, which takes the
// server a moment longer. Blocks. Returns DEADLINE_EXCEEDED, with the definition and what it lacks,
// or FAILED_PRECONDITION if the server rejected its names, for example because another definition
// has them.
absl::Status WaitForCrds(const Context& ctx, const rest::Client& client,
                         const CustomResourceDefinitions& definitions,
                         absl::Duration timeout = absl::Seconds(10));

// Deletes the definitions with all their objects, without waiting until they are gone. Definitions
// that do not exist are ignored. Blocks.
absl::Status UninstallCrds(const Context& ctx, const rest::Client& client,
                           const CustomResourceDefinitions& definitions);

}  // namespace kube::envtest

#endif  // ENVTEST_CRDS_H_
