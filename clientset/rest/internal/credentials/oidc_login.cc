#include "clientset/rest/internal/credentials/oidc_login.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "clientset/rest/internal/credentials/credential_source.h"
#include "clientset/rest/internal/credentials/oidc_refresh.h"
#include "clientset/rest/oidc_config.h"

namespace kube::rest::internal {
namespace {

absl::StatusOr<Credentials> CredentialsOf(const base::Secret& id_token) {
  KUBE_ASSIGN_OR_RETURN(const absl::Time expiry, IdTokenExpiry(id_token.Reveal()));
  return Credentials{.authorization = base::Secret(absl::StrCat("Bearer ", id_token.Reveal())),
                     .expiration = expiry - OidcLogin::kLeeway};
}

absl::StatusOr<std::shared_ptr<const Credentials>> InitialCredentials(const OidcTokens& tokens) {
  if (tokens.id_token.empty()) return std::shared_ptr<const Credentials>();
  KUBE_ASSIGN_OR_RETURN(Credentials credentials, CredentialsOf(tokens.id_token));
  return std::make_shared<const Credentials>(std::move(credentials));
}

bool SameTokens(const OidcTokens& a, const OidcTokens& b) {
  return a.id_token == b.id_token && a.refresh_token == b.refresh_token;
}

// The logins of the process that may still be in use.
struct Logins {
  base::Mutex mutex;
  std::vector<std::weak_ptr<OidcLogin>> logins ABSL_GUARDED_BY(mutex);
};

Logins& AllLogins() {
  static base::NoDestructor<Logins> logins;
  return *logins;
}

}  // namespace

std::shared_ptr<OidcLogin> OidcLogin::Share(const OidcConfig& config, Refresher refresher) {
  if (config.tokens.refresh_token.empty()) {
    return std::make_shared<OidcLogin>(config, std::move(refresher));
  }
  // Those that are not returned are destroyed after the lock is released, since that may block.
  std::vector<std::shared_ptr<OidcLogin>> alive;
  Logins& all = AllLogins();
  base::MutexLock lock(all.mutex);
  std::erase_if(all.logins, [](const std::weak_ptr<OidcLogin>& login) { return login.expired(); });
  for (const std::weak_ptr<OidcLogin>& each : all.logins) {
    std::shared_ptr<OidcLogin> login = each.lock();
    if (login == nullptr) continue;
    if (login->IsFor(config)) return login;
    alive.push_back(std::move(login));
  }
  auto made = std::make_shared<OidcLogin>(config, std::move(refresher));
  all.logins.push_back(made);
  return made;
}

OidcLogin::OidcLogin(OidcConfig config, Refresher refresher)
    : config_(std::move(config)),
      refresher_(std::move(refresher)),
      runtime_(&base::Runtime::Current()),
      initial_(InitialCredentials(config_.tokens)),
      tokens_(config_.tokens),
      stored_(config_.tokens),
      cache_([this](const Context& ctx) { return Refresh(ctx); },
             {.thread_name = "oidc-refresh", .initial = initial_.ok() ? *initial_ : nullptr}) {}

absl::StatusOr<std::shared_ptr<const Credentials>> OidcLogin::Get(const Context& ctx) {
  KUBE_RETURN_IF_ERROR(initial_.status());
  return cache_.Get(ctx);
}

bool OidcLogin::IsFor(const OidcConfig& config) const {
  if (runtime_ != &base::Runtime::Current() || config_.issuer_url != config.issuer_url ||
      config_.client_id != config.client_id || config_.client_secret != config.client_secret ||
      config_.ca_file != config.ca_file || config_.ca_data != config.ca_data ||
      config_.transport != config.transport) {
    return false;
  }
  if (config_.tokens.refresh_token == config.tokens.refresh_token) return true;
  base::MutexLock lock(mutex_);
  return tokens_.refresh_token == config.tokens.refresh_token;
}

absl::StatusOr<Credentials> OidcLogin::Refresh(const Context& ctx) {
  const OidcTokens old = Newest(ctx);
  if (!old.id_token.empty()) {
    absl::StatusOr<Credentials> newest = CredentialsOf(old.id_token);
    if (newest.ok() && base::WallNow() <= newest->expiration) return newest;
  }
  KUBE_ASSIGN_OR_RETURN(const OidcTokens fresh, refresher_(ctx, old));
  Store(ctx, fresh);
  return CredentialsOf(fresh.id_token);
}

OidcTokens OidcLogin::Newest(const Context& ctx) {
  absl::StatusOr<OidcTokens> read = absl::NotFoundError("");
  if (config_.load != nullptr) {
    read = config_.load(ctx);
    if (!read.ok()) {
      log::Error(ctx, read.status(), "could not read stored tokens, using those of this program");
    }
  }
  base::MutexLock lock(mutex_);
  // Without a refresh token, somebody has removed the login and not made another one.
  if (read.ok() && !read->refresh_token.empty() && !SameTokens(*read, stored_)) {
    tokens_ = *read;
    stored_ = *std::move(read);
  }
  return tokens_;
}

void OidcLogin::Store(const Context& ctx, const OidcTokens& fresh) {
  {
    base::MutexLock lock(mutex_);
    tokens_ = fresh;
  }
  if (config_.persist == nullptr) return;
  // A client that is destroyed now must not lose tokens that the issuer gives only once.
  const Context storing = WithTimeout(WithoutCancel(ctx), kPersistTimeout);
  if (const absl::Status stored = config_.persist(storing, fresh); !stored.ok()) {
    log::Error(ctx, stored, "could not persist new tokens");
    return;
  }
  base::MutexLock lock(mutex_);
  stored_ = fresh;
}

}  // namespace kube::rest::internal
