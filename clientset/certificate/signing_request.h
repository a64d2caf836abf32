#ifndef CLIENTSET_CERTIFICATE_SIGNING_REQUEST_H_
#define CLIENTSET_CERTIFICATE_SIGNING_REQUEST_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/secret.h"
#include "clientset/rest/client.h"

// Certificates that the cluster signs, one at a time: a CertificateSigningRequest is created, some
// controller or person approves it, and a signer puts the certificate into its status. For
// certificates that are renewed, use a CertificateManager. (client-go: package
// `util/certificate/csr`)
//
//   KUBE_ASSIGN_OR_RETURN(const base::Secret key, certificates::MakePrivateKey());
//   KUBE_ASSIGN_OR_RETURN(const std::string request,
//                         certificates::MakeRequest({.common_name = "alice"}, key));
//   KUBE_ASSIGN_OR_RETURN(
//       const certificate::SigningRequestId id,
//       certificate::RequestCertificate(ctx, client, request, key,
//                                       {.signer_name = "kubernetes.io/kube-apiserver-client",
//                                        .usages = certificate::ClientUsages(key)}));
//   return certificate::WaitForCertificate(WithTimeout(ctx, absl::Minutes(15)), client, id);
//
// Only certificates.k8s.io/v1 is used; client-go also tries v1beta1, which no server has had since
// Kubernetes 1.22. All functions are thread-safe.
namespace kube::certificate {

// Options of RequestCertificate.
struct SigningRequestOptions {
  // The name of the CertificateSigningRequest. Choose one, and keep the key, if the program may be
  // restarted while the request waits for its approval. Default: the server makes one that begins
  // with "csr-".
  std::string name = {};
  // Who is to sign, such as "kubernetes.io/kube-apiserver-client" or a domain of your own. Not
  // empty.
  std::string signer_name = {};
  // What the certificate is for: see ClientUsages and ServingUsages. Not empty.
  std::vector<std::string> usages = {};
  // How long the certificate is to be valid, in whole seconds; the signer may choose another time.
  // Servers refuse less than ten minutes. Default: zero, the signer decides.
  absl::Duration lifetime = absl::ZeroDuration();
};

// A CertificateSigningRequest of the server.
struct SigningRequestId {
  std::string name = {};
  std::string uid = {};
};

// Return the usages of a client's and a server's certificate: "digital signature", and "client
// auth" or "server auth"; for an RSA key "key encipherment", too. (client-go:
// `DefaultKubeletClientGetUsages`, `DefaultKubeletServingGetUsages`)
std::vector<std::string> ClientUsages(const base::Secret& key);
std::vector<std::string> ServingUsages(const base::Secret& key);

// Creates a CertificateSigningRequest for `request`, a request in PEM that is signed with `key`. If
// there is one of the name options.name already, it is used again, provided that its subject and
// its signer are the same, it is signed with `key`, and its certificate, if it has one, has not
// expired; its usages are not compared. Sends one or two requests, and blocks until they are
// answered.
//
// Returns the errors of the server (errors/predicates.h): errors::IsForbidden is true if the user
// may not create such requests. Returns INVALID_ARGUMENT if an option is missing, or the existing
// request is another one; delete it, or choose another name. (client-go:
// `csr.RequestCertificateWithContext`)
absl::StatusOr<SigningRequestId> RequestCertificate(const Context& ctx, const rest::Client& client,
                                                    absl::string_view request,
                                                    const base::Secret& key,
                                                    const SigningRequestOptions& options);

// Waits until a request is approved and signed, and returns the certificate, in PEM, which
// intermediate ones may follow. Blocks until then, or until `ctx` is done: give it a deadline,
// because approval may be a person's. Lists and watches the one request; while it cannot be listed,
// tries again every second.
//
// Returns PERMISSION_DENIED if the request was denied and FAILED_PRECONDITION if the signer failed,
// both with reason and message of the condition; NOT_FOUND if the request was deleted; ABORTED if
// another request has taken its name; and ctx.status(), with the error of the last list if that
// failed. (client-go: `csr.WaitForCertificate`)
absl::StatusOr<std::string> WaitForCertificate(const Context& ctx, const rest::Client& client,
                                               const SigningRequestId& id);

}  // namespace kube::certificate

#endif  // CLIENTSET_CERTIFICATE_SIGNING_REQUEST_H_
