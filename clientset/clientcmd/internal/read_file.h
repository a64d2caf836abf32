#ifndef CLIENTSET_CLIENTCMD_INTERNAL_READ_FILE_H_
#define CLIENTSET_CLIENTCMD_INTERNAL_READ_FILE_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kube::clientcmd::internal {

// No kubeconfig, certificate or token comes near.
inline constexpr size_t kMaxFileSize = 16 << 20;

// The Status of an error number, worded as Go words it: `open /a: no such file or directory`.
// NOT_FOUND, PERMISSION_DENIED, otherwise UNKNOWN.
absl::Status ErrnoStatus(int error_number, absl::string_view verb, absl::string_view path);

// All of a file, at most kMaxFileSize (RESOURCE_EXHAUSTED). Pipes too, such as the shell's
// <(command): of one into which nobody writes for as long as `patience`, DEADLINE_EXCEEDED.
absl::StatusOr<std::string> ReadFile(const std::string& path,
                                     absl::Duration patience = absl::Minutes(1));

// Whether it can be opened for reading. (os.Open) Does not wait for the writer of a pipe.
absl::Status CheckReadable(const std::string& path);

}  // namespace kube::clientcmd::internal

#endif  // CLIENTSET_CLIENTCMD_INTERNAL_READ_FILE_H_
