#ifndef CLIENTSET_CERTIFICATE_TESTING_TEST_SIGNER_H_
#define CLIENTSET_CERTIFICATE_TESTING_TEST_SIGNER_H_

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "api/certificates/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/thread.h"
#include "clientset/kubernetes/certificates/v1/client.h"
#include "clientset/rest/client.h"
#include "net/certificates/certificate_authority.h"

namespace kube::certificate {

// What a TestSigner does with requests.
enum class Verdict { kSign, kApproveOnly, kDeny, kFail };

// Options of TestSigner.
struct TestSignerOptions {
  Verdict verdict = Verdict::kSign;
  // How long certificates are valid, from the moment at which they are signed.
  absl::Duration lifetime = absl::Hours(1);
  // How often it looks for requests.
  absl::Duration interval = absl::Seconds(5);
};

// Answers all CertificateSigningRequests of a server, for every signer name, as kube-controller-
// manager does for the signers of Kubernetes.
//
//   TestSigner signer(client);
//   ASSERT_THAT(signer.Start(Context()), IsOk());
//
// It does not imitate approvers that look at the requestor, the rules of signers for names and
// usages, requests for a lifetime, and the deletion of old requests. Thread-compatible.
class TestSigner {
 public:
  explicit TestSigner(rest::Client client, TestSignerOptions options = {});

  // Starts the thread that answers requests; it ends with `ctx` or with this object.
  absl::Status Start(const Context& ctx);

  // Answers all requests that have no answer yet. Returns the errors of the server.
  absl::Status AnswerAll(const Context& ctx) const;

  const certificates::CertificateAuthority& authority() const { return authority_; }

 private:
  absl::Status Answer(const Context& ctx,
                      api::certificates::v1::CertificateSigningRequest request) const;

  const api::certificates::v1::CertificateSigningRequestClient requests_;
  const TestSignerOptions options_;
  const certificates::CertificateAuthority authority_;
  // Declared last: it uses all of the above.
  base::Thread thread_;
};

}  // namespace kube::certificate

#endif  // CLIENTSET_CERTIFICATE_TESTING_TEST_SIGNER_H_
