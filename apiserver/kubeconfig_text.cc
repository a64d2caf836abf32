#include "apiserver/kubeconfig_text.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"

namespace kube::apiserver {
namespace {

// In YAML's single quotes, in which only they are special.
std::string Quoted(absl::string_view text) {
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"'", "''"}}), "'");
}

}  // namespace

std::string KubeconfigText(absl::string_view url, absl::string_view ca_certificate,
                           absl::string_view token,
                           const std::vector<std::pair<std::string, std::string>>& users) {
  std::string text = absl::StrCat(
      "apiVersion: v1\nkind: Config\ncurrent-context: envtest\nclusters:\n- name: envtest\n"
      "  cluster:\n    server: ",
      url, "\n");
  if (!ca_certificate.empty()) {
    absl::StrAppend(&text, "    certificate-authority-data: ", absl::Base64Escape(ca_certificate),
                    "\n");
  }
  absl::StrAppend(&text, "users:\n- name: envtest\n  user:\n    token: ", token, "\n");
  for (const auto& [name, user_token] : users) {
    absl::StrAppend(&text, "- name: ", Quoted(name), "\n  user:\n    token: ", Quoted(user_token),
                    "\n");
  }
  absl::StrAppend(&text,
                  "contexts:\n- name: envtest\n  context:\n    cluster: envtest\n"
                  "    user: envtest\n    namespace: default\n");
  for (const auto& [name, user_token] : users) {
    absl::StrAppend(&text, "- name: ", Quoted(name),
                    "\n  context:\n    cluster: envtest\n    user: ", Quoted(name),
                    "\n    namespace: default\n");
  }
  return text;
}

}  // namespace kube::apiserver
