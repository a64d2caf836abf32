// Random kubeconfig files: no crash, no hang, and what is written is read back unchanged.
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "clientset/clientcmd/client_config.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "clientset/clientcmd/kubeconfig_codec.h"
#include "clientset/clientcmd/transform.h"
#include "clientset/clientcmd/validation.h"

namespace kube::clientcmd {
namespace {

// Without paths, because the result must not depend on the machine's files.
void ForgetFiles(Kubeconfig& config) {
  for (auto& [name, cluster] : config.clusters) cluster.certificate_authority.clear();
  for (auto& [name, user] : config.users) {
    user.client_certificate.clear();
    user.client_key.clear();
    user.token_file.clear();
  }
}

void Use(absl::string_view text) {
  absl::StatusOr<Kubeconfig> config = DecodeKubeconfig(text);
  if (!config.ok()) return;
  ForgetFiles(*config);
  (void)Validate(*config);
  (void)DirectClientConfig(*config).ToRestConfig();
  (void)DirectClientConfig(*config).Namespace();
  (void)Minify(*config);
  const absl::StatusOr<std::string> written = EncodeKubeconfig(*config);
  // Not every JSON value can be written as YAML: json_to_yaml.h.
  if (!written.ok()) return;
  const absl::StatusOr<Kubeconfig> again = DecodeKubeconfig(*written);
  KUBE_CHECK_OK(again.status());
  const absl::StatusOr<std::string> rewritten = EncodeKubeconfig(*again);
  KUBE_CHECK_OK(rewritten.status());
  KUBE_CHECK_EQ(*rewritten, *written);
}

}  // namespace
}  // namespace kube::clientcmd

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kube::clientcmd::Use(absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
