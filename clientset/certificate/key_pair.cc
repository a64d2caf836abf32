#include "clientset/certificate/key_pair.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "net/certificates/certificate_details.h"
#include "net/certificates/certificate_request.h"
#include "net/io/pem.h"

namespace kube::certificate {

absl::StatusOr<std::shared_ptr<const KeyPair>> MakeKeyPair(absl::string_view certificate,
                                                           const base::Secret& key) {
  KUBE_RETURN_IF_ERROR(io::CheckKeyPair(certificate, key.Reveal()));
  KUBE_ASSIGN_OR_RETURN(std::vector<certificates::CertificateDetails> details,
                        certificates::DetailsOf(certificate));
  auto pair = std::make_shared<KeyPair>();
  KUBE_ASSIGN_OR_RETURN(pair->pem.certificate, io::CertificatesOf(certificate));
  KUBE_ASSIGN_OR_RETURN(pair->pem.key, certificates::PrivateKeyOf(key));
  pair->details = std::move(details.front());
  return pair;
}

}  // namespace kube::certificate
