#ifndef CLIENTSET_CLIENTCMD_INTERNAL_READ_FILE_H_
#define CLIENTSET_CLIENTCMD_INTERNAL_READ_FILE_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kube::clientcmd::internal {

// Far more than any kubeconfig, certificate or token has.
inline constexpr size_t kMaxFileSize = 16 << 20;

// Returns the Status for an errno, with Go's text: `open /a: no such file or directory`. The code
// is NOT_FOUND, PERMISSION_DENIED, or otherwise UNKNOWN.
absl::Status ErrnoStatus(int error_number, absl::string_view verb, absl::string_view path);

// Reads a whole file, or a pipe such as the shell's <(command). Returns RESOURCE_EXHAUSTED if it is
// larger than kMaxFileSize, and DEADLINE_EXCEEDED if nothing is written to a pipe for `patience`.
absl::StatusOr<std::string> ReadFile(const std::string& path,
                                     absl::Duration patience = absl::Minutes(1));

// Checks that the file can be opened for reading. Does not wait for the writer of a pipe. (Go:
// `os.Open`)
absl::Status CheckReadable(const std::string& path);

}  // namespace kube::clientcmd::internal

#endif  // CLIENTSET_CLIENTCMD_INTERNAL_READ_FILE_H_
