#ifndef CLIENTSET_CLIENTCMD_INTERNAL_WRITE_FILE_H_
#define CLIENTSET_CLIENTCMD_INTERNAL_WRITE_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace kube::clientcmd::internal {

// Creates the directory of `path`, and its parents, with mode 0700.
absl::Status MakeDirectoryFor(const std::string& path);

// Writes `content` to a file, replacing it if possible: see WriteToFile.
absl::Status WriteFile(const std::string& path, absl::string_view content);

}  // namespace kube::clientcmd::internal

#endif  // CLIENTSET_CLIENTCMD_INTERNAL_WRITE_FILE_H_
