#include "webhook/ca_bundle.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/rest/client.h"
#include "net/certificates/certificate_expiry.h"
#include "net/io/pem.h"

namespace kube::webhook {
namespace {

using unstructured::Unstructured;
using unstructured::Value;

// The bundles of one object may have so many together, some 700 KiB of text: etcd takes 1.5 MiB.
constexpr size_t kMaxCertificatesOfObject = 700;
constexpr size_t kMinCertificates = 10;
constexpr absl::string_view kBegin = "-----BEGIN CERTIFICATE-----";

// Returns each certificate of a bundle that has nothing else.
std::vector<std::string> Split(absl::string_view pem) {
  std::vector<std::string> certificates;
  size_t start = pem.find(kBegin);
  while (start != absl::string_view::npos) {
    const size_t next = pem.find(kBegin, start + kBegin.size());
    certificates.emplace_back(pem.substr(start, next - start));
    start = next;
  }
  return certificates;
}

bool Contains(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

void DropExpired(std::vector<std::string>& all) {
  const absl::Time now = base::WallNow();
  std::erase_if(all, [now](const std::string& one) {
    const absl::StatusOr<absl::Time> end = certificates::NotAfter(one);
    return end.ok() && *end < now;
  });
}

// Adds the certificates to a clientConfig. Returns whether it has changed.
absl::StatusOr<bool> AddTo(Map<Value>& client_config, absl::string_view ca,
                           size_t max_certificates = kMaxCertificates) {
  std::string before;
  if (const Value* const found = client_config.find("caBundle"); found != nullptr) {
    // What is not base64 cannot be there; the server refuses it.
    if (!absl::Base64Unescape(found->text().value_or(""), &before)) before.clear();
  }
  KUBE_ASSIGN_OR_RETURN(const std::string after, BundleWith(before, ca, max_certificates));
  if (after == before) return false;
  client_config.insert_or_assign("caBundle", Value(absl::Base64Escape(after)));
  return true;
}

absl::Status AddToConfiguration(Unstructured& configuration, absl::string_view ca) {
  Value* const webhooks = configuration.object.find("webhooks");
  if (webhooks == nullptr || !webhooks->is_list()) return absl::OkStatus();
  const size_t max_certificates =
      std::clamp(kMaxCertificatesOfObject / std::max<size_t>(webhooks->list()->size(), 1),
                 kMinCertificates, kMaxCertificates);
  for (Value& webhook : *webhooks->list()) {
    Value* const config = webhook.Find("clientConfig");
    if (config == nullptr || !config->is_object()) continue;
    KUBE_RETURN_IF_ERROR(AddTo(*config->object(), ca, max_certificates).status());
  }
  return absl::OkStatus();
}

absl::Status AddToDefinition(Unstructured& definition, absl::string_view ca) {
  Value* value = definition.object.find("spec");
  for (const absl::string_view member : {"conversion", "webhook", "clientConfig"}) {
    if (value != nullptr) value = value->Find(member);
  }
  if (value == nullptr || !value->is_object()) {
    return absl::FailedPreconditionError("its conversion is no webhook");
  }
  return AddTo(*value->object(), ca).status();
}

using Change = absl::Status (*)(Unstructured& object, absl::string_view ca);

// Changes objects of one resource, all of which are tried.
absl::Status ChangeAll(const Context& ctx, const dynamic::ResourceClient& client,
                       absl::string_view what, const std::vector<std::string>& names, Change change,
                       absl::string_view ca) {
  std::vector<absl::Status> errors;
  for (const std::string& name : names) {
    const absl::Status edited =
        client.Edit(ctx, name, [&](Unstructured& object) { return change(object, ca); }).status();
    errors.push_back(
        base::Annotate(edited, absl::StrCat("add CA bundle to ", what, " \"", name, "\"")));
  }
  return base::JoinErrors(errors);
}

schema::GroupVersionResource AdmissionResource(absl::string_view plural) {
  return {
      .group = "admissionregistration.k8s.io", .version = "v1", .resource = std::string(plural)};
}

}  // namespace

absl::StatusOr<std::string> BundleWith(absl::string_view bundle, absl::string_view ca,
                                       size_t max_certificates) {
  KUBE_ASSIGN_OR_RETURN(const std::string readable, io::CertificatesOf(ca), "use CA bundle");
  const std::vector<std::string> added = Split(readable);
  // A bundle with no certificate that can be read, such as the "Cg==" of generated manifests, is as
  // good as none.
  std::vector<std::string> all = Split(io::CertificatesOf(bundle).value_or(""));
  if (std::all_of(added.begin(), added.end(),
                  [&all](const std::string& one) { return Contains(all, one); })) {
    return std::string(bundle);
  }
  // What is in use is the newest, also if it was added before: it must not be dropped as old.
  std::erase_if(all, [&added](const std::string& one) { return Contains(added, one); });
  all.insert(all.end(), added.begin(), added.end());
  if (all.size() > max_certificates) DropExpired(all);
  if (all.size() > max_certificates) {
    all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(max_certificates));
  }
  return absl::StrJoin(all, "");
}

absl::Status AddCaBundle(const Context& ctx, const rest::Client& client,
                         const CaBundleTargets& targets, absl::string_view ca) {
  KUBE_RETURN_IF_ERROR(io::CertificatesOf(ca).status(), "add CA bundle");
  const dynamic::DynamicClient objects(client);
  return base::JoinErrors(
      {ChangeAll(ctx, objects.Resource(AdmissionResource("mutatingwebhookconfigurations")),
                 "MutatingWebhookConfiguration", targets.mutating_configurations,
                 &AddToConfiguration, ca),
       ChangeAll(ctx, objects.Resource(AdmissionResource("validatingwebhookconfigurations")),
                 "ValidatingWebhookConfiguration", targets.validating_configurations,
                 &AddToConfiguration, ca),
       ChangeAll(ctx,
                 objects.Resource({.group = "apiextensions.k8s.io",
                                   .version = "v1",
                                   .resource = "customresourcedefinitions"}),
                 "CustomResourceDefinition", targets.definitions, &AddToDefinition, ca)});
}

}  // namespace kube::webhook
