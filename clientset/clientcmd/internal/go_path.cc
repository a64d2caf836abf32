#include "clientset/clientcmd/internal/go_path.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace kube::clientcmd::internal {
namespace {

// Returns the parts of a clean path; "/" and "." have no parts.
std::vector<absl::string_view> Parts(absl::string_view clean) {
  if (clean == ".") return {};
  return absl::StrSplit(clean, '/', absl::SkipEmpty());
}

}  // namespace

std::string CleanPath(absl::string_view path) {
  const bool rooted = IsAbsolutePath(path);
  std::vector<absl::string_view> kept;
  for (const absl::string_view part : absl::StrSplit(path, '/', absl::SkipEmpty())) {
    if (part == ".") continue;
    if (part != "..") {
      kept.push_back(part);
    } else if (!kept.empty() && kept.back() != "..") {
      kept.pop_back();
    } else if (!rooted) {
      kept.push_back(part);
    }
  }
  std::string clean = absl::StrCat(rooted ? "/" : "", absl::StrJoin(kept, "/"));
  return clean.empty() ? "." : clean;
}

std::string JoinPath(absl::string_view a, absl::string_view b) {
  if (a.empty()) return b.empty() ? "" : CleanPath(b);
  return CleanPath(absl::StrCat(a, "/", b));
}

std::string DirectoryOf(absl::string_view path) {
  const size_t slash = path.rfind('/');
  return CleanPath(slash == absl::string_view::npos ? "" : path.substr(0, slash + 1));
}

absl::StatusOr<std::string> AbsolutePath(absl::string_view path) {
  if (IsAbsolutePath(path)) return CleanPath(path);
  std::error_code error;
  const std::filesystem::path working = std::filesystem::current_path(error);
  if (error) {
    return absl::FailedPreconditionError(absl::StrCat("get working directory: ", error.message()));
  }
  return JoinPath(working.string(), path);
}

absl::StatusOr<std::string> RelativePath(absl::string_view base, absl::string_view path) {
  const std::string clean_base = CleanPath(base);
  const std::string clean_path = CleanPath(path);
  const std::vector<absl::string_view> from = Parts(clean_base);
  const std::vector<absl::string_view> to = Parts(clean_path);
  const size_t common = static_cast<size_t>(
      std::mismatch(from.begin(), from.end(), to.begin(), to.end()).first - from.begin());
  if (IsAbsolutePath(clean_base) != IsAbsolutePath(clean_path) ||
      (common < from.size() && from[common] == "..")) {
    return absl::InvalidArgumentError(absl::StrCat("cannot make ", path, " relative to ", base));
  }
  std::vector<absl::string_view> parts(from.size() - common, "..");
  parts.insert(parts.end(), to.begin() + static_cast<ptrdiff_t>(common), to.end());
  return parts.empty() ? "." : absl::StrJoin(parts, "/");
}

}  // namespace kube::clientcmd::internal
