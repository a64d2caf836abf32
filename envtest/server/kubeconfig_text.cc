#include "envtest/server/kubeconfig_text.h"

#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kube::envtest {

std::string KubeconfigText(absl::string_view url, absl::string_view ca_certificate,
                           absl::string_view token) {
  std::string text = absl::StrCat(
      "apiVersion: v1\nkind: Config\ncurrent-context: envtest\nclusters:\n- name: envtest\n"
      "  cluster:\n    server: ",
      url, "\n");
  if (!ca_certificate.empty()) {
    absl::StrAppend(&text, "    certificate-authority-data: ", absl::Base64Escape(ca_certificate),
                    "\n");
  }
  absl::StrAppend(&text, "users:\n- name: envtest\n  user:\n    token: ", token,
                  "\ncontexts:\n- name: envtest\n  context:\n    cluster: envtest\n"
                  "    user: envtest\n    namespace: default\n");
  return text;
}

}  // namespace kube::envtest
