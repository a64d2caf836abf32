#include "apiserver/kubeconfig_text.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::apiserver {

using unstructured::Value;

namespace {

// The name of the cluster, of its administrator and of their context.
constexpr absl::string_view kName = "envtest";

// Quotes a text for YAML. Within single quotes only these are special.
std::string Quoted(absl::string_view text) {
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"'", "''"}}), "'");
}

// Returns null if there is no such list.
const List<Value>* ListOf(const Value& config, absl::string_view key) {
  const Value* const list = config.Find(key);
  return list == nullptr ? nullptr : list->list();
}

// Returns "" if there is no such string.
absl::string_view StringOf(const Value& value, unstructured::FieldPath path) {
  if (!value.is_object()) return "";
  const auto found = unstructured::NestedString(*value.object(), path);
  return found.ok() ? found->value_or("") : "";
}

// Returns whether an address is "http://127.0.0.1:PORT" or "https://127.0.0.1:PORT".
bool IsLocal(absl::string_view server) {
  if (!absl::ConsumePrefix(&server, "http://") && !absl::ConsumePrefix(&server, "https://")) {
    return false;
  }
  return absl::ConsumePrefix(&server, "127.0.0.1:") && !server.empty() &&
         std::all_of(server.begin(), server.end(), absl::ascii_isdigit);
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

bool IsKubeconfigText(absl::string_view text) {
  const absl::StatusOr<Value> config = unstructured::ParseYaml(text);
  if (!config.ok() || !config->is_object()) return false;
  const List<Value>* const clusters = ListOf(*config, "clusters");
  if (clusters == nullptr || clusters->size() != 1 || StringOf((*clusters)[0], {"name"}) != kName ||
      !IsLocal(StringOf((*clusters)[0], {"cluster", "server"}))) {
    return false;
  }
  const List<Value>* const contexts = ListOf(*config, "contexts");
  if (contexts == nullptr || contexts->empty()) return false;
  for (const Value& context : *contexts) {
    if (StringOf(context, {"context", "cluster"}) != kName) return false;
  }
  const List<Value>* const users = ListOf(*config, "users");
  if (users == nullptr) return false;
  bool has_administrator = false;
  for (const Value& user : *users) {
    const Value* const credentials = user.Find("user");
    if (credentials == nullptr || !credentials->is_object() || credentials->object()->size() != 1 ||
        StringOf(user, {"user", "token"}).empty()) {
      return false;
    }
    has_administrator = has_administrator || StringOf(user, {"name"}) == kName;
  }
  return has_administrator;
}

}  // namespace kube::apiserver
