#ifndef CLIENTSET_CLIENTCMD_INTERNAL_FLAG_HELP_H_
#define CLIENTSET_CLIENTCMD_INTERNAL_FLAG_HELP_H_

#include <string>

#include "absl/strings/string_view.h"

namespace kube::clientcmd::internal {

// Returns what --help prints: `usage`, and the registered flags in groups, spelled and laid out as
// `kubectl options` does it. The program's own flags are the first group; Abseil's (--flagfile ...)
// are left out. Thread-safe.
std::string FlagHelp(absl::string_view usage);

}  // namespace kube::clientcmd::internal

#endif  // CLIENTSET_CLIENTCMD_INTERNAL_FLAG_HELP_H_
