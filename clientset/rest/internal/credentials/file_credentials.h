#ifndef CLIENTSET_REST_INTERNAL_CREDENTIALS_FILE_CREDENTIALS_H_
#define CLIENTSET_REST_INTERNAL_CREDENTIALS_FILE_CREDENTIALS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/secret.h"
#include "clientset/rest/config.h"
#include "clientset/rest/internal/credentials/certificate_files.h"
#include "clientset/rest/internal/credentials/credential_source.h"
#include "clientset/rest/internal/credentials/token_file.h"

namespace kube::rest::internal {

// Credentials that a configuration has without a plug-in: a password, a token or a token file, and
// a client certificate. Files are read with a lock held, so that one caller reads for all.
// Thread-safe.
class FileCredentials final : public CredentialSource {
 public:
  // Returns INVALID_ARGUMENT as MakeAuthenticator does.
  static absl::StatusOr<std::unique_ptr<FileCredentials>> Make(const Config& config);

  absl::StatusOr<std::shared_ptr<const Credentials>> Get(const Context& ctx) override;
  absl::StatusOr<bool> Rejected(const Context& ctx, const Credentials& used) override;

  // Use Make.
  FileCredentials(base::Secret authorization, std::optional<TokenFile> token_file,
                  ClientCertificate certificate,
                  std::function<std::shared_ptr<const ClientKeyPair>()> get_key_pair);

 private:
  // Errors that occurred with the lock held; they are logged without it.
  struct Problems {
    absl::Status token;
    absl::Status certificate;
  };
  static void Log(const Context& ctx, const Problems& problems);

  // Renews `current_` if one of its parts has changed, and returns whether that is so.
  bool Update() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // What get_key_pair has returned.
  struct Provided {
    std::shared_ptr<const ClientKeyPair> pair = {};
    uint64_t asked_after = 0;  // the value of `replacements_` before the call
  };
  // Asks get_key_pair, without the lock. The pair is null without such a function.
  Provided Ask() ABSL_LOCKS_EXCLUDED(mutex_);
  // Takes the pair, and returns whether it is another one. A thread that was overtaken must not put
  // the previous pair back, which would look like a rotation: if another thread has replaced the
  // pair since the call, this one's is left out, and the next request asks again.
  bool Take(Provided provided) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const base::Secret fixed_;  // the Authorization header, if there is no token file
  const std::function<std::shared_ptr<const ClientKeyPair>()> get_key_pair_;  // may be null
  base::Mutex mutex_;
  std::optional<TokenFile> token_file_ ABSL_GUARDED_BY(mutex_);
  ClientCertificate certificate_ ABSL_GUARDED_BY(mutex_);
  uint64_t replacements_ ABSL_GUARDED_BY(mutex_) = 0;  // of the pair of get_key_pair
  std::shared_ptr<const Credentials> current_ ABSL_GUARDED_BY(mutex_);
  // The last error of the token file. Each request tries the file again, but the same error is
  // logged only once.
  absl::Status token_error_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CREDENTIALS_FILE_CREDENTIALS_H_
