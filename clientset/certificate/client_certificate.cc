#include "clientset/certificate/client_certificate.h"

#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "apimachinery/base/mutex.h"
#include "clientset/certificate/certificate_manager.h"
#include "clientset/certificate/key_pair.h"
#include "clientset/rest/config.h"
#include "net/certificates/certificate_source.h"

namespace kube::certificate {

namespace {

class ManagedCertificate final : public certificates::CertificateSource {
 public:
  explicit ManagedCertificate(std::shared_ptr<const CertificateManager> manager)
      : manager_(std::move(manager)) {}

  std::shared_ptr<const certificates::ServerCertificates> Current() const override {
    std::shared_ptr<const KeyPair> current = manager_->Current();
    base::MutexLock lock(mutex_);
    if (current == nullptr || current == seen_) return made_;
    made_ =
        std::make_shared<const certificates::ServerCertificates>(certificates::ServerCertificates{
            .certificate_chain = current->pem.certificate, .private_key = current->pem.key});
    seen_ = std::move(current);
    return made_;
  }

 private:
  const std::shared_ptr<const CertificateManager> manager_;
  mutable base::Mutex mutex_;
  // The pair of which `made_` was made.
  mutable std::shared_ptr<const KeyPair> seen_ ABSL_GUARDED_BY(mutex_);
  mutable std::shared_ptr<const certificates::ServerCertificates> made_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

void UseCertificateOf(std::shared_ptr<const CertificateManager> manager, rest::Config& config) {
  config.tls.get_key_pair =
      [manager = std::move(manager)]() -> std::shared_ptr<const rest::ClientKeyPair> {
    const std::shared_ptr<const KeyPair> current = manager->Current();
    if (current == nullptr) return nullptr;
    // Shares the object of the manager, so that its address says whether it has changed.
    return {current, &current->pem};
  };
}

std::shared_ptr<certificates::CertificateSource> ServerCertificateOf(
    std::shared_ptr<const CertificateManager> manager) {
  return std::make_shared<ManagedCertificate>(std::move(manager));
}

}  // namespace kube::certificate
