#include "controller/testing/internal/deployed_manifest.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/yaml/yaml_documents.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "controller/cache/required_access.h"

namespace kube::controller::internal {
namespace {

using unstructured::Unstructured;
using unstructured::Value;

// The port of a webhook server unless the program says another one.
constexpr absl::string_view kWebhookUrl = "https://127.0.0.1:9443";
// Where a webhook server looks for its certificate unless the program says another folder.
constexpr absl::string_view kCertificateFolder = "/tmp/k8s-webhook-server/serving-certs";

std::string TextOf(const Value& value) { return std::string(value.text().value_or("")); }

std::vector<std::string> TextsOf(const Value& value) {
  std::vector<std::string> texts;
  if (const List<Value>* const list = value.list(); list != nullptr) {
    for (const Value& each : *list) texts.push_back(TextOf(each));
  }
  return texts;
}

const Value& Member(const Unstructured& object, absl::string_view name) {
  static base::NoDestructor<Value> kNull;
  const Value* const found = object.object.find(name);
  return found == nullptr ? *kNull : *found;
}

absl::StatusOr<std::vector<Unstructured>> ReadAll(absl::string_view manifest) {
  std::vector<Unstructured> all;
  codec::YamlDocuments documents(manifest);
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::optional<codec::YamlDocument> document, documents.Next());
    if (!document.has_value()) return all;
    KUBE_ASSIGN_OR_RETURN(const Value value, unstructured::ParseYaml(document->text),
                          "document at line ", document->first_line);
    if (value.is_object()) all.push_back({.object = *value.object()});
  }
}

// ---- rights

// Adds the rules of a role that is bound in `namespaces`, or everywhere.
void AddRules(const Unstructured& role, const std::vector<std::string>& namespaces,
              std::vector<RequiredAccess>& access) {
  const List<Value>* const rules = Member(role, "rules").list();
  if (rules == nullptr) return;
  for (const Value& rule : *rules) {
    if (const std::vector<std::string> urls = TextsOf(rule["nonResourceURLs"]); !urls.empty()) {
      access.push_back({.verbs = TextsOf(rule["verbs"]), .urls = urls});
    }
    for (const std::string& group : TextsOf(rule["apiGroups"])) {
      for (const std::string& resource : TextsOf(rule["resources"])) {
        access.push_back({.group = group,
                          .resource = resource,
                          .verbs = TextsOf(rule["verbs"]),
                          .names = TextsOf(rule["resourceNames"]),
                          .namespaces = namespaces});
      }
    }
  }
}

bool Binds(const Unstructured& binding, absl::string_view namespace_name, absl::string_view name) {
  const List<Value>* const subjects = Member(binding, "subjects").list();
  if (subjects == nullptr) return false;
  for (const Value& subject : *subjects) {
    if (subject["kind"].text() == "ServiceAccount" && subject["name"].text() == name &&
        subject["namespace"].text() == namespace_name) {
      return true;
    }
  }
  return false;
}

std::vector<RequiredAccess> AccessOf(const std::vector<Unstructured>& documents,
                                     absl::string_view namespace_name, absl::string_view name) {
  std::vector<RequiredAccess> access;
  for (const Unstructured& binding : documents) {
    const bool everywhere = binding.kind() == "ClusterRoleBinding";
    if (!everywhere && binding.kind() != "RoleBinding") continue;
    if (!Binds(binding, namespace_name, name)) continue;
    const Value& wanted = Member(binding, "roleRef");
    std::vector<std::string> namespaces;
    if (!everywhere) namespaces.emplace_back(binding.namespace_name());
    for (const Unstructured& role : documents) {
      if (role.kind() != wanted["kind"].text() || role.name() != wanted["name"].text()) continue;
      if (role.kind() == "Role" && role.namespace_name() != binding.namespace_name()) continue;
      AddRules(role, namespaces, access);
    }
  }
  return access;
}

// ---- webhooks

// Turns the reference to a service in a `clientConfig` into a URL. Returns whether it was one. An
// empty authority is left out: the program will add its own.
bool Redirect(Value* config, absl::string_view ca_certificate) {
  if (config == nullptr || config->Find("service") == nullptr) return false;
  const std::string path = TextOf((*config)["service"]["path"]);
  Map<Value> redirected = {{"url", absl::StrCat(kWebhookUrl, path.empty() ? "/" : path)}};
  if (!ca_certificate.empty()) redirected["caBundle"] = absl::Base64Escape(ca_certificate);
  *config = std::move(redirected);
  return true;
}

bool RedirectWebhooks(Unstructured& configuration, absl::string_view ca_certificate) {
  bool redirected = false;
  Value* const webhooks = configuration.object.find("webhooks");
  List<Value>* const list = webhooks == nullptr ? nullptr : webhooks->list();
  if (list == nullptr) return false;
  for (Value& webhook : *list) {
    if (Redirect(webhook.Find("clientConfig"), ca_certificate)) redirected = true;
  }
  return redirected;
}

bool RedirectConversion(Unstructured& definition, absl::string_view ca_certificate) {
  Value* at = definition.object.find("spec");
  for (const char* const member : {"conversion", "webhook", "clientConfig"}) {
    if (at != nullptr) at = at->Find(member);
  }
  return Redirect(at, ca_certificate);
}

absl::StatusOr<std::string> RedirectAll(const std::vector<Unstructured>& documents,
                                        absl::string_view ca_certificate) {
  std::string text;
  for (Unstructured object : documents) {
    const bool redirected = object.kind() == "CustomResourceDefinition"
                                ? RedirectConversion(object, ca_certificate)
                                : RedirectWebhooks(object, ca_certificate);
    if (!redirected) continue;
    KUBE_ASSIGN_OR_RETURN(const std::string yaml,
                          unstructured::EncodeYaml(Value(std::move(object.object))));
    absl::StrAppend(&text, "---\n", yaml);
  }
  return text;
}

// ---- the program

bool MountsCertificate(const Value& container) {
  if (const List<Value>* const mounts = container["volumeMounts"].list(); mounts != nullptr) {
    for (const Value& mount : *mounts) {
      if (mount["mountPath"].text() == kCertificateFolder) return true;
    }
  }
  for (const std::string& flag : TextsOf(container["args"])) {
    if (absl::StartsWith(flag, "--webhook-cert-path")) return true;
  }
  return false;
}

}  // namespace

absl::StatusOr<DeployedManifest> ReadDeployedManifest(absl::string_view manifest,
                                                      absl::string_view ca_certificate) {
  KUBE_ASSIGN_OR_RETURN(const std::vector<Unstructured> documents, ReadAll(manifest));
  for (const Unstructured& object : documents) {
    if (object.kind() != "Deployment") continue;
    const Value& pod = Member(object, "spec")["template"]["spec"];
    const std::string account = TextOf(pod["serviceAccountName"]);
    const List<Value>* const containers = pod["containers"].list();
    DeployedManifest read;
    read.user = absl::StrCat("system:serviceaccount:", object.namespace_name(), ":",
                             account.empty() ? "default" : account);
    read.namespace_name = std::string(object.namespace_name());
    if (containers != nullptr && !containers->empty()) {
      read.flags = TextsOf((*containers)[0]["args"]);
      read.mounts_certificate = MountsCertificate((*containers)[0]);
    }
    read.access = AccessOf(documents, object.namespace_name(), account);
    KUBE_ASSIGN_OR_RETURN(read.redirected,
                          RedirectAll(documents, read.mounts_certificate ? ca_certificate : ""));
    return read;
  }
  return absl::InvalidArgumentError("read manifest of an operator: it has no Deployment");
}

}  // namespace kube::controller::internal
