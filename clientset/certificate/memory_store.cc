#include "clientset/certificate/memory_store.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "clientset/certificate/key_pair.h"

namespace kube::certificate {

absl::StatusOr<std::shared_ptr<const KeyPair>> MemoryStore::Current() {
  if (current_ == nullptr) return absl::NotFoundError("no certificate has been stored");
  return current_;
}

absl::StatusOr<std::shared_ptr<const KeyPair>> MemoryStore::Update(absl::string_view certificate,
                                                                   const base::Secret& key) {
  KUBE_ASSIGN_OR_RETURN(current_, MakeKeyPair(certificate, key), "store certificate");
  return current_;
}

}  // namespace kube::certificate
