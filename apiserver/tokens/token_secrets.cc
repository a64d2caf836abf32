#include "apiserver/tokens/token_secrets.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/types/bytes.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "apiserver/registry/write_admission.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/tokens/legacy_claims.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

constexpr absl::string_view kSecrets = "/secrets";
constexpr absl::string_view kAccounts = "/serviceaccounts";
constexpr absl::string_view kNameAnnotation = "kubernetes.io/service-account.name";
constexpr absl::string_view kUidAnnotation = "kubernetes.io/service-account.uid";
// How many changes are looked up at a time.
constexpr size_t kMaxChanges = 100;
// How long a refused deletion is left alone.
constexpr absl::Duration kRetryAfter = absl::Seconds(1);

absl::string_view AnnotationOf(const corev1::Secret& secret, absl::string_view name) {
  const String* const found = secret.metadata.annotations.find(name);
  return found == nullptr ? absl::string_view() : found->view();
}

// Returns the secret if it is one with a token, or null.
const corev1::Secret* TokenSecretOf(const StoredObject& object) {
  const auto* const secret = object.object().As<corev1::Secret>();
  if (secret == nullptr || secret->type != "kubernetes.io/service-account-token") return nullptr;
  return AnnotationOf(*secret, kNameAnnotation).empty() ? nullptr : secret;
}

// Returns whether the secret is one of the account, by its name and by its UID, if it names that.
bool IsOf(const corev1::Secret& secret, const corev1::ServiceAccount& account) {
  const absl::string_view uid = AnnotationOf(secret, kUidAnnotation);
  return AnnotationOf(secret, kNameAnnotation) == account.metadata.name.view() &&
         (uid.empty() || uid == account.metadata.uid.view());
}

bool IsEmpty(const corev1::Secret& secret, absl::string_view key) {
  const Bytes* const value = secret.data.find(key);
  return value == nullptr || value->view().empty();
}

bool HasAuthority(const corev1::Secret& secret, const std::string& root_ca) {
  const Bytes* const value = secret.data.find("ca.crt");
  return root_ca.empty() || (value != nullptr && value->view() == root_ca);
}

}  // namespace

bool TokenSecrets::Settle() {
  {
    base::MutexLock lock(mutex_);
    again_ = true;
    if (settling_) return false;
    settling_ = true;
  }
  bool worked = false;
  while (true) {
    {
      base::MutexLock lock(mutex_);
      if (!again_) {
        settling_ = false;
        return worked;
      }
      again_ = false;
    }
    resources_ = parts_.resources->Get();
    RetryRefused();
    while (ProcessSecrets() || ProcessAccounts()) worked = true;
  }
}

bool TokenSecrets::ProcessSecrets() {
  const Storage& storage = parts_.registry->storage();
  const absl::StatusOr<ChangesResult> changes =
      storage.ChangesAfter(kSecrets, seen_secrets_, kMaxChanges);
  if (!changes.ok()) {
    // The history is shorter than what was not looked at: looks at all that is there.
    const absl::StatusOr<ListResult> list = storage.List(kSecrets, {});
    if (!list.ok()) return false;
    seen_secrets_ = list->revision;
    for (const ListItem& item : list->items) ProcessSecret(item.key, *item.object);
    return true;
  }
  for (const ChangePtr& change : changes->changes) {
    seen_secrets_ = change->revision;
    ProcessSecret(change->key, *change->after);
  }
  return !changes->changes.empty();
}

bool TokenSecrets::ProcessAccounts() {
  const absl::StatusOr<ChangesResult> changes =
      parts_.registry->storage().ChangesAfter(kAccounts, seen_accounts_, kMaxChanges);
  if (!changes.ok()) {
    seen_accounts_ = parts_.registry->storage().revision();
    return false;
  }
  for (const ChangePtr& change : changes->changes) {
    seen_accounts_ = change->revision;
    if (!change->deleted) continue;
    DeleteSecretsOf(*change->after->object().As<corev1::ServiceAccount>());
  }
  return !changes->changes.empty();
}

void TokenSecrets::ProcessSecret(const std::string& key, const StoredObject& last) {
  const Storage& storage = parts_.registry->storage();
  const ObjectPtr object = storage.Get(kSecrets, key);
  const corev1::Secret* const secret = TokenSecretOf(object == nullptr ? last : *object);
  if (secret == nullptr) return;
  if (object == nullptr) return RemoveReference(*secret);
  const ObjectPtr found =
      storage.Get(kAccounts, absl::StrCat(secret->metadata.namespace_.view(), "/",
                                          AnnotationOf(*secret, kNameAnnotation)));
  const corev1::ServiceAccount* const account =
      found == nullptr ? nullptr : found->object().As<corev1::ServiceAccount>();
  if (account == nullptr || !IsOf(*secret, *account)) return Delete(*secret);
  Fill(*object, *account);
}

void TokenSecrets::Fill(const StoredObject& secret, const corev1::ServiceAccount& account) {
  const std::string root_ca = parts_.root_ca();
  Object changed = secret.object().Copy();
  corev1::Secret& content = *changed.As<corev1::Secret>();
  const bool needs_token = IsEmpty(content, "token");
  if (!needs_token && !IsEmpty(content, "namespace") && HasAuthority(content, root_ca)) return;
  if (!root_ca.empty()) content.data["ca.crt"] = Bytes(root_ca);
  if (IsEmpty(content, "namespace")) {
    content.data["namespace"] = Bytes(content.metadata.namespace_.view());
  }
  if (needs_token) {
    const absl::StatusOr<std::string> token =
        parts_.tokens->IssueLegacy({.namespace_name = std::string(account.metadata.namespace_),
                                    .account = std::string(account.metadata.name),
                                    .account_uid = std::string(account.metadata.uid),
                                    .secret = std::string(content.metadata.name)});
    if (!token.ok()) return log::Error(token.status(), "cannot fill a token secret");
    content.data["token"] = Bytes(*token);
  }
  content.metadata.annotations[kNameAnnotation] = account.metadata.name;
  content.metadata.annotations[kUidAnnotation] = account.metadata.uid;
  parts_.registry
      ->Update(
          TargetOf("secrets", content.metadata.namespace_.view(), content.metadata.name.view()),
          [&](const StoredObject& current) -> absl::StatusOr<Object> {
            // It was changed meanwhile, which leads to another look.
            if (current.revision() != secret.revision()) {
              return absl::CancelledError("secret was modified");
            }
            return changed.Copy();
          })
      .IgnoreError();
}

void TokenSecrets::RemoveReference(const corev1::Secret& secret) {
  parts_.registry
      ->Update(TargetOf("serviceaccounts", secret.metadata.namespace_.view(),
                        AnnotationOf(secret, kNameAnnotation)),
               [&](const StoredObject& current) -> absl::StatusOr<Object> {
                 Object changed = current.object().Copy();
                 auto& account = *changed.As<corev1::ServiceAccount>();
                 if (!IsOf(secret, account)) return absl::CancelledError("another account");
                 List<corev1::ObjectReference> kept;
                 for (const corev1::ObjectReference& each : account.secrets) {
                   if (each.name != secret.metadata.name) kept.push_back(each);
                 }
                 if (kept.size() == account.secrets.size()) {
                   return absl::CancelledError("no such reference");
                 }
                 account.secrets = std::move(kept);
                 return changed;
               })
      .IgnoreError();
}

void TokenSecrets::DeleteSecretsOf(const corev1::ServiceAccount& account) {
  const absl::StatusOr<ListResult> list = parts_.registry->storage().List(
      kSecrets, {.prefix = absl::StrCat(account.metadata.namespace_.view(), "/")});
  if (!list.ok()) return;
  for (const ListItem& item : list->items) {
    const corev1::Secret* const secret = TokenSecretOf(*item.object);
    if (secret != nullptr && IsOf(*secret, account)) Delete(*secret);
  }
}

void TokenSecrets::Delete(const corev1::Secret& secret) {
  metav1::DeleteOptions options;
  options.preconditions.emplace().uid = secret.metadata.uid.view();
  const Target target =
      TargetOf("secrets", secret.metadata.namespace_.view(), secret.metadata.name.view());
  std::unique_ptr<WriteAdmission> admission;
  if (parts_.admit_deletion != nullptr) {
    // The controller of tokens has no service account, because it makes their tokens.
    admission = parts_.admit_deletion({.resource = target.resource,
                                       .namespace_name = target.namespace_name,
                                       .name = target.name,
                                       .account = "",
                                       .options = options});
  }
  const absl::Status deleted =
      parts_.registry->Delete(target, options, {.admission = admission.get()}).status();
  if (admission == nullptr || deleted.ok() || errors::IsNotFound(deleted) ||
      errors::IsConflict(deleted)) {
    return;
  }
  refused_.insert_or_assign(target.key(), base::Now() + kRetryAfter);
}

void TokenSecrets::RetryRefused() {
  if (refused_.empty()) return;
  const base::MonotonicTime now = base::Now();
  std::vector<std::string> due;
  for (const auto& [key, again] : refused_) {
    if (again <= now) due.push_back(key);
  }
  for (const std::string& key : due) {
    refused_.erase(key);
    const ObjectPtr object = parts_.registry->storage().Get(kSecrets, key);
    if (object != nullptr) ProcessSecret(key, *object);
  }
}

Target TokenSecrets::TargetOf(absl::string_view plural, absl::string_view namespace_name,
                              absl::string_view name) const {
  return {.resource = resources_->Find("", "v1", plural),
          .namespace_name = std::string(namespace_name),
          .name = std::string(name)};
}

}  // namespace kube::apiserver::internal
