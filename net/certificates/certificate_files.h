#ifndef NET_CERTIFICATES_CERTIFICATE_FILES_H_
#define NET_CERTIFICATES_CERTIFICATE_FILES_H_

#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/thread.h"
#include "net/certificates/certificate_source.h"

namespace kube::certificates {

// Options of CertificateFiles.
struct CertificateFilesOptions {
  // PEM files with the server's certificate, followed by intermediate ones, and with its key. They
  // are usually "tls.crt" and "tls.key" of a mounted secret. Not empty.
  std::string certificate_file = {};
  std::string key_file = {};
  // A PEM file with the authorities that sign the clients' certificates. Default: none is read.
  std::string client_ca_file = {};

  // How often the files are read. Default: ten seconds, as controller-runtime's certwatcher. A
  // kubelet needs up to a minute anyway to write a changed secret to the files of a pod.
  absl::Duration interval = absl::Seconds(10);

  // Where certwatcher_read_certificate_total and certwatcher_read_certificate_errors_total are
  // registered. Default: nowhere.
  std::shared_ptr<base::MetricsProvider> metrics = base::NoOpMetrics();
};

// Reads the certificates of a server from files, again and again. (controller-runtime:
// `certwatcher.CertWatcher`)
//
// A change takes effect when all files can be read, the key belongs to the certificate, and the
// client CA has a certificate. Until then the previous certificates stay, and the log says why:
// files are written one after the other, so for a moment they may not match. No error contains a
// part of a key. Unlike upstream, the files need not exist yet: see WaitForFirst.
//
//   auto files =
//       std::make_shared<certificates::CertificateFiles>(certificates::CertificateFilesOptions{
//           .certificate_file = folder + "/tls.crt", .key_file = folder + "/tls.key"});
//   KUBE_RETURN_IF_ERROR(files->WaitForFirst(WithTimeout(ctx, absl::Minutes(2))));
//   KUBE_RETURN_IF_ERROR(files->Start(ctx));
//
// Uses the clock of the Runtime of the thread that calls Start, and the files of the system.
// Thread-safe, except that Start must be called only once.
class CertificateFiles final : public CertificateSource {
 public:
  explicit CertificateFiles(CertificateFilesOptions options);

  // Reads the files now. Returns INVALID_ARGUMENT, with the names of the files and the cause, if
  // the certificates cannot be used; Current() then stays as it is. Blocks on the disk.
  absl::Status Reload() ABSL_LOCKS_EXCLUDED(mutex_);

  // Reads the files every second until they can be used; the log says why they cannot. Returns OK
  // as soon as there are certificates; otherwise, when `ctx` is done, its status with the cause of
  // the last attempt: the secret may not have been made yet, or the files have other names.
  absl::Status WaitForFirst(const Context& ctx);

  // Starts the thread that reads the files every `interval`, the first time at once. It ends with
  // `ctx` or with this object. Returns RESOURCE_EXHAUSTED if the system has no threads left.
  absl::Status Start(const Context& ctx);

  std::shared_ptr<const ServerCertificates> Current() const override ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  const CertificateFilesOptions options_;
  const base::Counter reads_;
  const base::Counter errors_;
  mutable base::Mutex mutex_;
  std::shared_ptr<const ServerCertificates> current_ ABSL_GUARDED_BY(mutex_);
  // Declared last: it uses all of the above.
  base::Thread thread_;
};

}  // namespace kube::certificates

#endif  // NET_CERTIFICATES_CERTIFICATE_FILES_H_
