#ifndef CLIENTSET_REST_INTERNAL_CREDENTIALS_FILE_CREDENTIALS_H_
#define CLIENTSET_REST_INTERNAL_CREDENTIALS_FILE_CREDENTIALS_H_

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

// A password, a token or one in a file, and a certificate: what a configuration says without a
// plug-in. Files are read under a lock, so that one caller reads for all. Thread-safe.
class FileCredentials final : public CredentialSource {
 public:
  // INVALID_ARGUMENT: see MakeAuthenticator.
  static absl::StatusOr<std::unique_ptr<FileCredentials>> Make(const Config& config);

  absl::StatusOr<std::shared_ptr<const Credentials>> Get(const Context& ctx) override;
  absl::StatusOr<bool> Rejected(const Context& ctx, const Credentials& used) override;

  // For Make.
  FileCredentials(base::Secret authorization, std::optional<TokenFile> token_file,
                  ClientCertificate certificate);

 private:
  // What went wrong under the lock, to be logged without it.
  struct Problems {
    absl::Status token;
    absl::Status certificate;
  };
  static void Log(const Problems& problems);

  // Makes `current_` of the parts if one of them has changed. True: it has.
  bool Update() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const base::Secret fixed_;  // of the header, where no file says it
  base::Mutex mutex_;
  std::optional<TokenFile> token_file_ ABSL_GUARDED_BY(mutex_);
  ClientCertificate certificate_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<const Credentials> current_ ABSL_GUARDED_BY(mutex_);
  // The file is tried again by each request, but the same error is logged once.
  absl::Status token_error_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CREDENTIALS_FILE_CREDENTIALS_H_
