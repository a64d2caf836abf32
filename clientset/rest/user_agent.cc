#include "clientset/rest/user_agent.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kube::rest {

namespace {

constexpr absl::string_view kUnknown = "unknown";

// (Go: `filepath.Base`)
absl::string_view BaseName(absl::string_view path) {
  if (path.empty()) return kUnknown;
  while (path.size() > 1 && absl::EndsWith(path, "/")) path.remove_suffix(1);
  return path == "/" ? path : path.substr(path.rfind('/') + 1);
}

}  // namespace

std::string BuildUserAgent(absl::string_view command, absl::string_view version,
                           absl::string_view os, absl::string_view architecture,
                           absl::string_view commit) {
  const absl::string_view release =
      version.empty() ? kUnknown : version.substr(0, version.find('-'));
  return absl::StrCat(BaseName(command), "/", release, " (", os, "/", architecture, ") kubernetes/",
                      commit.empty() ? kUnknown : commit.substr(0, 7));
}

absl::string_view OperatingSystem() { return "linux"; }

absl::string_view Architecture() {
#if defined(__x86_64__)
  return "amd64";
#elif defined(__aarch64__)
  return "arm64";
#elif defined(__arm__)
  return "arm";
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
  return "ppc64le";
#elif defined(__s390x__)
  return "s390x";
#elif defined(__riscv) && __riscv_xlen == 64
  return "riscv64";
#elif defined(__i386__)
  return "386";
#else
  return kUnknown;
#endif
}

}  // namespace kube::rest
