#include "net/certificates/certificate_files.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/metric_members.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "net/certificates/certificate_source.h"
#include "net/io/pem.h"
#include "net/io/secret_reader.h"

namespace kube::certificates {

namespace {

constexpr absl::Duration kFirstInterval = absl::Seconds(1);

absl::StatusOr<ServerCertificates> ReadFiles(const CertificateFilesOptions& options) {
  if (options.certificate_file.empty() || options.key_file.empty()) {
    return absl::InvalidArgumentError("certificate_file and key_file must not be empty");
  }
  ServerCertificates read;
  KUBE_ASSIGN_OR_RETURN(const base::Secret chain, io::ReadSecretFile(options.certificate_file));
  KUBE_ASSIGN_OR_RETURN(read.private_key, io::ReadSecretFile(options.key_file));
  KUBE_RETURN_IF_ERROR(io::CheckKeyPair(chain.Reveal(), read.private_key.Reveal()), "use \"",
                       options.certificate_file, "\" and \"", options.key_file, "\"");
  // Only the certificates: the file may have the key, too.
  KUBE_ASSIGN_OR_RETURN(read.certificate_chain, io::CertificatesOf(chain.Reveal()), "use \"",
                        options.certificate_file, "\"");
  if (!options.client_ca_file.empty()) {
    KUBE_ASSIGN_OR_RETURN(const base::Secret ca, io::ReadSecretFile(options.client_ca_file));
    KUBE_ASSIGN_OR_RETURN(read.client_ca, io::CertificatesOf(ca.Reveal()), "use \"",
                          options.client_ca_file, "\"");
  }
  return read;
}

}  // namespace

CertificateFiles::CertificateFiles(CertificateFilesOptions options)
    : options_(std::move(options)),
      reads_(base::NewCounter(*options_.metrics, {.name = "certwatcher_read_certificate_total",
                                                  .help = "Total number of certificate reads"})),
      errors_(base::NewCounter(*options_.metrics,
                               {.name = "certwatcher_read_certificate_errors_total",
                                .help = "Total number of certificate read errors"})) {}

absl::Status CertificateFiles::Reload() {
  reads_.Increment();
  absl::StatusOr<ServerCertificates> read = ReadFiles(options_);
  if (!read.ok()) {
    errors_.Increment();
    return base::Annotate(read.status(), "load server certificate");
  }
  auto made = std::make_shared<const ServerCertificates>(*std::move(read));
  {
    base::MutexLock lock(mutex_);
    if (current_ != nullptr && *current_ == *made) return absl::OkStatus();
    current_ = std::move(made);
  }
  log::Info("updated TLS certificate", {{"certificate", options_.certificate_file}});
  return absl::OkStatus();
}

absl::Status CertificateFiles::WaitForFirst(const Context& ctx) {
  absl::Status last = absl::OkStatus();
  const absl::Status waited =
      base::PollUntil(ctx, kFirstInterval, base::FirstPoll::kAtOnce, [&](const Context&) {
        if (Current() != nullptr) return absl::StatusOr<bool>(true);
        const absl::Status status = Reload();
        // The server cannot be reached meanwhile. An error that stays the same is logged once.
        if (!status.ok() && status != last) log::Error(status, "failed to read certificate");
        last = status;
        return absl::StatusOr<bool>(status.ok());
      });
  if (waited.ok() || last.ok()) return waited;
  return base::Annotate(waited, absl::StrCat("wait for certificate: ", last.message()));
}

absl::Status CertificateFiles::Start(const Context& ctx) {
  const auto watch = [this](const Context& body) {
    // An error that stays the same is logged once.
    absl::Status last = absl::OkStatus();
    base::Until(body, options_.interval, [&](const Context&) {
      const absl::Status status = Reload();
      if (!status.ok() && status != last) log::Error(status, "failed to read certificate");
      last = status;
    });
  };
  return thread_.Start(ctx, "certificate-files", watch);
}

std::shared_ptr<const ServerCertificates> CertificateFiles::Current() const {
  base::MutexLock lock(mutex_);
  return current_;
}

}  // namespace kube::certificates
