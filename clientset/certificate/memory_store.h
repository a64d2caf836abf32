#ifndef CLIENTSET_CERTIFICATE_MEMORY_STORE_H_
#define CLIENTSET_CERTIFICATE_MEMORY_STORE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/secret.h"
#include "clientset/certificate/key_pair.h"
#include "clientset/certificate/store.h"

namespace kube::certificate {

// A store for as long as the process lives: after a restart another certificate is requested. The
// key is never written anywhere. Thread-compatible. (client-go has only files)
class MemoryStore final : public Store {
 public:
  absl::StatusOr<std::shared_ptr<const KeyPair>> Current() override;
  absl::StatusOr<std::shared_ptr<const KeyPair>> Update(absl::string_view certificate,
                                                        const base::Secret& key) override;

 private:
  std::shared_ptr<const KeyPair> current_;
};

}  // namespace kube::certificate

#endif  // CLIENTSET_CERTIFICATE_MEMORY_STORE_H_
