// request_certificate [--namespace NS] NAME ISSUER HOST: asks cert-manager for a certificate, and
// waits until it is there. Types, client and informers come from cert-manager's definitions: a
// kube_crd_library makes them, and no IDL is written by hand. cert-manager must be installed.
//
//   requested shop from letsencrypt for shop.example.com
//   shop is in secret shop-tls, until 2030-01-02T03:04:05Z
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/rest/client.h"
#include "examples/request_certificate/cert_manager/cert-manager.io/v1.client.kube.h"
#include "examples/request_certificate/cert_manager/cert-manager.io/v1.informers.kube.h"
#include "examples/request_certificate/cert_manager/cert-manager.io/v1.kube.h"
#include "informers/event_handler.h"

namespace certv1 = kube::crd::io::cert_manager::v1;

namespace {

bool IsReady(const certv1::Certificate& certificate) {
  // No part of a status is required, so it may be absent.
  if (!certificate.status) return false;
  for (const auto& condition : certificate.status->conditions) {
    if (condition.type == "Ready") return condition.status == "True";
  }
  return false;
}

// Prints the certificate when it is ready, and sets `ready`.
void Look(const certv1::Certificate& certificate, kube::base::Event& ready) {
  if (!IsReady(certificate) || ready.IsSet()) return;
  std::cout << certificate.metadata.name << " is in secret " << certificate.spec->secret_name;
  if (certificate.status->not_after.has_value()) {
    std::cout << ", until " << *certificate.status->not_after;
  }
  std::cout << "\n";
  ready.Set();
}

absl::Status RequestCertificate(const kube::Context& ctx, const std::string& name,
                                const std::string& issuer, const std::string& host) {
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(kube::rest::Client client, kube::rest::MakeClient(loaded.config));
  const std::string& ns = loaded.chosen_namespace.name;

  const certv1::CertificateClient certificates =
      certv1::CertManagerV1Client(client).Certificates(ns);
  certv1::CertificateSpec spec;
  spec.dns_names.push_back(host);
  spec.issuer_ref.name = issuer;
  spec.secret_name = absl::StrCat(name, "-tls");
  KUBE_RETURN_IF_ERROR(
      certificates.Create(ctx, {.metadata = {.name = name}, .spec = spec}).status(),
      "request certificate ", name);
  std::cout << "requested " << name << " from " << issuer << " for " << host << "\n";

  kube::base::Event ready;  // before the factory, whose handler uses it
  certv1::SharedInformerFactory factory(
      client, {.namespace_name = ns, .field_selector = absl::StrCat("metadata.name=", name)});
  const kube::informers::EventHandler<certv1::Certificate> handler = {
      .on_add = [&ready](const auto& event) { Look(*event.object, ready); },
      .on_update = [&ready](const auto& event) { Look(*event.object, ready); }};
  auto& informer = factory.CertManager().V1().Certificates().Informer();
  KUBE_RETURN_IF_ERROR(informer.AddEventHandler(handler));
  KUBE_RETURN_IF_ERROR(factory.Start(ctx));
  return ready.Wait(ctx);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<char*> arguments = kube::clientcmd::ParseCommandLine(argc, argv);
  if (arguments.size() != 4) {
    std::cerr << "usage: request_certificate NAME ISSUER HOST\n";
    return 2;
  }
  const absl::Status status =
      RequestCertificate(kube::WithTimeout(kube::SignalContext(), absl::Minutes(10)), arguments[1],
                         arguments[2], arguments[3]);
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
