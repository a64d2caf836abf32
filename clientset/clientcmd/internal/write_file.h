#ifndef CLIENTSET_CLIENTCMD_INTERNAL_WRITE_FILE_H_
#define CLIENTSET_CLIENTCMD_INTERNAL_WRITE_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace kube::clientcmd::internal {

// Makes the directory that `path` is in, and those above it, with mode 0700.
absl::Status MakeDirectoryFor(const std::string& path);

// Puts `content` into a file: see WriteToFile.
absl::Status WriteFile(const std::string& path, absl::string_view content);

}  // namespace kube::clientcmd::internal

#endif  // CLIENTSET_CLIENTCMD_INTERNAL_WRITE_FILE_H_
