#ifndef APISERVER_TOKENS_TOKEN_SECRETS_H_
#define APISERVER_TOKENS_TOKEN_SECRETS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apiserver/object.h"
#include "apiserver/registry/collector.h"
#include "apiserver/registry/registry.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/tokens/account_tokens.h"

namespace kube::apiserver::internal {

// Fills Secrets of the type kubernetes.io/service-account-token with a token of their account,
// deletes them with the account, and removes those that were deleted from the account's list
// (kube-controller-manager: `TokensController`).
//
// Like the Collector it has no thread and no delay: after each request, Settle does the work on the
// writing thread. Thread-safe.
class TokenSecrets {
 public:
  struct Parts {
    // Both must outlive this.
    Registry* registry = nullptr;
    const ResourceTable* resources = nullptr;
    std::shared_ptr<AccountTokens> tokens = {};
    // Returns the certificate authority of the server as PEM, or "".
    std::function<std::string()> root_ca = {};
    // What deletions of Secrets pass. Null: nothing.
    AdmitDeletion admit_deletion = {};
  };
  explicit TokenSecrets(Parts parts)
      : parts_(std::move(parts)),
        seen_secrets_(parts_.registry->storage().revision()),
        seen_accounts_(seen_secrets_) {}

  // Works until nothing is left to do. Returns whether there was something. If another thread is
  // settling, that one does the work, and this returns false. Must be called without locks. It may
  // wait for webhooks that are asked about its deletions; a deletion that they refuse is tried
  // again by a call a second later or more, so that a slow refusal does not delay every write.
  bool Settle();

 private:
  // Called by the thread that settles. Process what has changed; return whether anything has.
  bool ProcessSecrets();
  bool ProcessAccounts();
  void ProcessSecret(const std::string& key, const StoredObject& last);
  void RemoveReference(const api::core::v1::Secret& secret);
  void Fill(const StoredObject& secret, const api::core::v1::ServiceAccount& account);
  // Deletes the token secrets of the account, which has gone.
  void DeleteSecretsOf(const api::core::v1::ServiceAccount& account);
  void Delete(const api::core::v1::Secret& secret);
  // Looks again at the secrets whose deletions were refused, if their time has come.
  void RetryRefused();
  Target TargetOf(absl::string_view plural, absl::string_view namespace_name,
                  absl::string_view name) const;

  const Parts parts_;
  base::Mutex mutex_;
  bool settling_ ABSL_GUARDED_BY(mutex_) = false;
  bool again_ ABSL_GUARDED_BY(mutex_) = false;
  // Used by the thread that settles: the resources, and up to which revisions it has looked.
  std::shared_ptr<const Resources> resources_;
  int64_t seen_secrets_;
  int64_t seen_accounts_;
  // Used by the thread that settles: the keys of the secrets whose deletions were refused, and
  // before when they are not tried again.
  std::map<std::string, base::MonotonicTime> refused_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_TOKENS_TOKEN_SECRETS_H_
