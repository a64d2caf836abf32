#include "clientset/rest/internal/credentials/file_credentials.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "clientset/rest/config.h"
#include "clientset/rest/internal/credentials/certificate_files.h"
#include "clientset/rest/internal/credentials/credential_source.h"
#include "clientset/rest/internal/credentials/token_file.h"

namespace kube::rest::internal {

namespace {

base::Secret Bearer(const base::Secret& token) {
  return token.empty() ? base::Secret() : base::Secret(absl::StrCat("Bearer ", token.Reveal()));
}

base::Secret Basic(const std::string& username, const base::Secret& password) {
  const base::Secret pair(absl::StrCat(username, ":", password.Reveal()));
  const base::Secret encoded(absl::Base64Escape(pair.Reveal()));
  return base::Secret(absl::StrCat("Basic ", encoded.Reveal()));
}

// Returns the token to use until the file has been read. A kubeconfig's `tokenFile` is in the
// configuration twice: as a path, and as the whole content of the file with its line break. Returns
// an empty token if a header could not contain it.
base::Secret InitialToken(const base::Secret& token) {
  return CheckToken(token.Reveal()).ok() ? token : base::Secret();
}

}  // namespace

absl::StatusOr<std::unique_ptr<FileCredentials>> FileCredentials::Make(const Config& config) {
  const bool has_token = !config.bearer_token.empty() || !config.bearer_token_file.empty();
  if (!config.username.empty() && has_token) {
    return absl::InvalidArgumentError("username/password or bearer token may be set, but not both");
  }
  base::Secret fixed;
  std::optional<TokenFile> file;
  if (!config.username.empty()) {
    fixed = Basic(config.username, config.password);
  } else if (config.bearer_token_file.empty()) {
    KUBE_RETURN_IF_ERROR(CheckToken(config.bearer_token.Reveal()), "bearer_token");
    fixed = Bearer(config.bearer_token);
  } else {
    file.emplace(config.bearer_token_file, InitialToken(config.bearer_token));
    // If there is also a token, the file may be created later.
    const absl::Status read = file->Refresh().status();
    if (!read.ok() && file->token().empty()) return base::Annotate(read, "bearer_token_file");
  }
  KUBE_ASSIGN_OR_RETURN(ClientCertificate certificate, ClientCertificate::Make(config.tls));
  return std::make_unique<FileCredentials>(std::move(fixed), std::move(file),
                                           std::move(certificate), config.tls.get_key_pair);
}

FileCredentials::FileCredentials(base::Secret authorization, std::optional<TokenFile> token_file,
                                 ClientCertificate certificate,
                                 std::function<std::shared_ptr<const ClientKeyPair>()> get_key_pair)
    : fixed_(std::move(authorization)),
      get_key_pair_(std::move(get_key_pair)),
      token_file_(std::move(token_file)),
      certificate_(std::move(certificate)) {
  base::MutexLock lock(mutex_);
  Update();
}

FileCredentials::Provided FileCredentials::Ask() {
  Provided provided;
  if (get_key_pair_ == nullptr) return provided;
  {
    base::MutexLock lock(mutex_);
    provided.asked_after = replacements_;
  }
  provided.pair = get_key_pair_();
  return provided;
}

bool FileCredentials::Take(Provided provided) {
  if (provided.asked_after != replacements_) return false;
  const bool replaced = certificate_.Replace(std::move(provided.pair));
  if (replaced) ++replacements_;
  return replaced;
}

bool FileCredentials::Update() {
  auto now = std::make_shared<Credentials>();
  now->authorization = token_file_.has_value() ? Bearer(token_file_->token()) : fixed_;
  now->certificate = certificate_.certificate();
  now->key = certificate_.key();
  now->generation = current_ == nullptr ? 1 : current_->generation + 1;
  if (current_ != nullptr && SameIdentity(*now, *current_)) return false;
  current_ = std::move(now);
  return true;
}

void FileCredentials::Log(const Context& ctx, const Problems& problems) {
  if (!problems.token.ok()) {
    log::Error(ctx, problems.token, "unable to rotate token, keeping the previous token");
  }
  if (!problems.certificate.ok()) {
    log::Error(ctx, problems.certificate,
               "failed to load client certificate, keeping the previous one");
  }
}

absl::StatusOr<std::shared_ptr<const Credentials>> FileCredentials::Get(const Context& ctx) {
  Problems problems;
  std::shared_ptr<const Credentials> current;
  Provided provided = Ask();
  {
    base::MutexLock lock(mutex_);
    const bool replaced = Take(std::move(provided));
    const absl::StatusOr<bool> certificate = certificate_.Refresh();
    const absl::StatusOr<bool> token =
        token_file_.has_value() ? token_file_->Refresh() : absl::StatusOr<bool>(false);
    if (replaced || certificate.value_or(false) || token.value_or(false)) Update();
    problems.certificate = certificate.status();
    if (token.status() != token_error_) problems.token = token_error_ = token.status();
    current = current_;
  }
  Log(ctx, problems);
  return current;
}

// client-go forgets a rejected token and reads the file for the next request. Here it is read at
// once, so that the caller knows whether a retry is worthwhile.
absl::StatusOr<bool> FileCredentials::Rejected(const Context& ctx, const Credentials& used) {
  Problems problems;
  bool changed = false;
  Provided provided = Ask();
  {
    base::MutexLock lock(mutex_);
    if (current_->generation != used.generation) return !SameIdentity(*current_, used);
    if (token_file_.has_value()) problems.token = token_file_->Read().status();
    problems.certificate = certificate_.Reload().status();
    Take(std::move(provided));
    changed = Update();
  }
  Log(ctx, problems);
  return changed;
}

}  // namespace kube::rest::internal
