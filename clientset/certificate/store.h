#ifndef CLIENTSET_CERTIFICATE_STORE_H_
#define CLIENTSET_CERTIFICATE_STORE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/secret.h"
#include "clientset/certificate/key_pair.h"

namespace kube::certificate {

// Keeps the current certificate of a CertificateManager and its key: FileStore, MemoryStore, or
// your own, for example in a Secret. (client-go: `certificate.Store`)
//
// Used by one thread at a time. Its functions may block.
class Store {
 public:
  virtual ~Store() = default;

  // Returns the current pair, which may have expired. Returns NOT_FOUND if the store has none; then
  // the manager uses its bootstrap certificate, or requests one at once. (client-go:
  // `NoCertKeyError`)
  virtual absl::StatusOr<std::shared_ptr<const KeyPair>> Current() = 0;

  // Makes a certificate, which intermediate ones may follow, and its key the current pair, and
  // returns it. If it returns an error, the current pair is still the previous one.
  virtual absl::StatusOr<std::shared_ptr<const KeyPair>> Update(absl::string_view certificate,
                                                                const base::Secret& key) = 0;
};

}  // namespace kube::certificate

#endif  // CLIENTSET_CERTIFICATE_STORE_H_
