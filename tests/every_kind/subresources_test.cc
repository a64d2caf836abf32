// The subresources that have functions of their own, on the server of server.h.
#include <functional>
#include <iostream>
#include <iterator>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "api/certificates/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/kubernetes/certificates/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/kubernetes/testing/every_kind.h"
#include "clientset/kubernetes/testing/kind_case.h"
#include "gtest/gtest.h"
#include "tests/every_kind/server.h"

namespace kube::every_kind {
namespace {

namespace certificatesv1 = api::certificates::v1;
namespace corev1 = api::core::v1;

using kubernetes::kNamespace;

corev1::PodClient Pods() { return Client().CoreV1().Pods(kNamespace); }

// A new pod, in place of one of an earlier run.
absl::StatusOr<corev1::Pod> MakePod(const std::string& name) {
  const absl::Status deleted = Pods().Delete(Soon(), name, {.grace_period_seconds = 0});
  if (!deleted.ok() && !errors::IsNotFound(deleted)) return deleted;
  corev1::Pod pod = {.metadata = {.name = name}};
  pod.spec.containers.push_back({.name = "main", .image = "main"});
  return Pods().Create(Soon(), pod);
}

absl::Status WithPod(const std::string& name,
                     const std::function<absl::Status(corev1::Pod&)>& call) {
  absl::StatusOr<corev1::Pod> pod = MakePod(name);
  return pod.ok() ? call(*pod) : pod.status();
}

absl::Status Bind() {
  return WithPod("bind", [](corev1::Pod&) {
    return Pods().Bind(
        Soon(), {.metadata = {.name = "bind"}, .target = {.kind = "Node", .name = "node-1"}});
  });
}

absl::Status Evict() {
  return WithPod("evict", [](corev1::Pod&) {
    return Pods().EvictV1(Soon(), {.metadata = {.name = "evict"}});
  });
}

absl::Status UpdateEphemeralContainers() {
  return WithPod("debug", [](corev1::Pod& pod) {
    pod.spec.ephemeral_containers.push_back(
        {.name = "shell", .image = "shell", .termination_message_policy = "File"});
    pod.spec.ephemeral_containers[0].image_pull_policy = "Always";
    return Pods().UpdateEphemeralContainers(Soon(), "debug", pod).status();
  });
}

absl::Status UpdateResize() {
  return WithPod("resize", [](corev1::Pod& pod) {
    return Pods().UpdateResize(Soon(), "resize", pod).status();
  });
}

absl::Status GetLogs() {
  return WithPod("logs", [](corev1::Pod&) { return Pods().GetLogs(Soon(), "logs").status(); });
}

absl::Status CreateToken() {
  const corev1::ServiceAccountClient accounts = Client().CoreV1().ServiceAccounts(kNamespace);
  const absl::Status created = accounts.Create(Soon(), {.metadata = {.name = "app"}}).status();
  if (!created.ok() && !errors::IsAlreadyExists(created)) return created;
  return accounts.CreateToken(Soon(), "app", {}).status();
}

absl::Status UpdateApproval() {
  const certificatesv1::CertificateSigningRequestClient requests =
      Client().CertificatesV1().CertificateSigningRequests();
  const auto manifest = ManifestOf("certificates.k8s.io/v1", "CertificateSigningRequest");
  absl::StatusOr<certificatesv1::CertificateSigningRequest> request =
      codec::DecodeJson<certificatesv1::CertificateSigningRequest>(*manifest);
  request->metadata.name = "approve";
  request = requests.Create(Soon(), *request);
  if (errors::IsAlreadyExists(request.status())) request = requests.Get(Soon(), "approve");
  if (!request.ok()) return request.status();
  request->status.conditions.push_back(
      {.type = "Approved", .status = "True", .reason = "Test", .message = "approved"});
  return requests.UpdateApproval(Soon(), "approve", *request).status();
}

absl::Status Finalize() {
  const corev1::NamespaceClient namespaces = Client().CoreV1().Namespaces();
  const absl::Status created =
      namespaces.Create(Soon(), {.metadata = {.name = "finalize"}}).status();
  if (!created.ok() && !errors::IsAlreadyExists(created)) return created;
  const absl::StatusOr<corev1::Namespace> object = namespaces.Get(Soon(), "finalize");
  return object.ok() ? namespaces.Finalize(Soon(), *object).status() : object.status();
}

absl::Status PodProxy() {
  return WithPod("proxy", [](corev1::Pod&) {
    return Pods().ProxyGet(Soon(), {.name = "proxy", .port = "80"}, "/").status();
  });
}

absl::Status ServiceProxy() {
  return Client()
      .CoreV1()
      .Services(kNamespace)
      .ProxyGet(Soon(), {.name = "none", .port = "80"}, "/")
      .status();
}

bool Succeeds(const absl::Status& status) { return status.ok(); }
// The server looks for the pod's node or the node's kubelet, which do not exist.
bool FindsNoKubelet(const absl::Status& status) {
  return status.ok() || (errors::IsBadRequest(status) &&
                         absl::StrContains(status.message(), "does not have a host assigned"));
}
// Nobody runs behind a proxy. docs/envtest.md: the embedded server has none.
bool FindsNoBackend(const absl::Status& status) {
  if (!IsReal()) return errors::IsMethodNotSupported(status);
  return errors::IsServiceUnavailable(status) || errors::IsInternalError(status) ||
         errors::IsBadRequest(status) || errors::IsNotFound(status);
}

struct Call {
  const char* resource;
  absl::Status (*call)();
  bool (*is_expected)(const absl::Status&);
};

const Call kCalls[] = {
    {"certificates.k8s.io/v1 certificatesigningrequests/approval", UpdateApproval, Succeeds},
    {"v1 namespaces/finalize", Finalize, Succeeds},
    {"v1 pods/binding", Bind, Succeeds},
    {"v1 pods/ephemeralcontainers", UpdateEphemeralContainers, Succeeds},
    {"v1 pods/eviction", Evict, Succeeds},
    {"v1 pods/log", GetLogs, FindsNoKubelet},
    {"v1 pods/proxy", PodProxy, FindsNoBackend},
    {"v1 pods/resize", UpdateResize, Succeeds},
    {"v1 serviceaccounts/token", CreateToken, Succeeds},
    {"v1 services/proxy", ServiceProxy, FindsNoBackend},
};

// Those that client-go's clientset has no functions for either: remotecommand and portforward are
// its other packages, and nodes/proxy is for kubectl.
const char* const kNotInClientset[] = {"v1 nodes/proxy", "v1 pods/attach", "v1 pods/exec",
                                       "v1 pods/portforward"};

TEST(Subresources, AreReached) {
  for (const Call& each : kCalls) {
    const absl::Status status = each.call();
    std::cout << each.resource << ": " << status << "\n";
    EXPECT_TRUE(each.is_expected(status)) << each.resource << ": " << status;
  }
}

// Beside status and scale, which every_kind_test.cc has.
TEST(Subresources, AreAllThatTheServerHas) {
  std::set<std::string> group_versions;
  for (const kubernetes::KindCase& kind : kubernetes::EveryKind()) {
    group_versions.insert(ApiVersionOf(kind));
  }
  std::set<std::string> served;
  for (const auto& [group_version, resources] : Discover(group_versions)) {
    for (const auto& [resource, verbs] : resources) {
      if (!absl::StrContains(resource, "/") || absl::EndsWith(resource, "/status")) continue;
      if (absl::EndsWith(resource, "/scale")) continue;
      served.insert(absl::StrCat(group_version, " ", resource));
    }
  }
  std::set<std::string> ours(std::begin(kNotInClientset), std::end(kNotInClientset));
  for (const Call& each : kCalls) ours.insert(each.resource);
  EXPECT_EQ(ours, served);
}

}  // namespace
}  // namespace kube::every_kind
