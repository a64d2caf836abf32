#include "clientset/rest/internal/credentials/exec_policy.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "clientset/rest/exec_config.h"

namespace kube::rest::internal {

namespace {

namespace fs = std::filesystem;

// Returns no error if `path` is a file that this process may execute.
std::error_code CheckExecutable(const std::string& path) {
  struct stat info = {};
  if (stat(path.c_str(), &info) != 0) return {errno, std::generic_category()};
  if (S_ISDIR(info.st_mode)) return std::make_error_code(std::errc::is_a_directory);
  if (access(path.c_str(), X_OK) != 0) return {errno, std::generic_category()};
  return {};
}

absl::Status NotFound(const std::string& command, absl::string_view cause) {
  return absl::FailedPreconditionError(
      absl::StrCat("executable \"", command, "\" not found: ", cause));
}

// Returns the shortest form of a path, but keeps "./a", because "a" would be looked up in PATH.
// (Go: `filepath.Clean`)
std::string Clean(const std::string& path) {
  std::string clean = fs::path(path).lexically_normal().string();
  if (clean.size() > 1 && absl::EndsWith(clean, "/")) clean.pop_back();
  if (absl::StrContains(path, "/") && !absl::StrContains(clean, "/")) clean.insert(0, "./");
  return clean;
}

std::string NameOf(const std::string& path) { return fs::path(path).filename().string(); }

// The names must be equal, because one file may be several programs that are chosen by name
// (busybox).
bool IsSameProgram(const std::string& entry, const std::string& program) {
  if (NameOf(entry) != NameOf(program)) return false;
  const absl::StatusOr<std::string> listed = LookUpProgram(entry);
  std::error_code error;
  return listed.ok() && fs::equivalent(*listed, program, error) && !error;
}

absl::Status CheckEntry(const std::string& entry) {
  if (entry.empty()) {
    return absl::InvalidArgumentError(
        "exec_policy: misconfigured credential plugin allowlist: empty allowlist entry");
  }
  if (const std::string clean = Clean(entry); clean != entry || entry.rfind("./", 0) == 0) {
    return absl::InvalidArgumentError(absl::StrCat("exec_policy: non-normalized file path: \"",
                                                   entry, "\" vs \"",
                                                   absl::StripPrefix(clean, "./"), "\""));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> LookUpProgram(const std::string& command) {
  if (command.empty()) return NotFound(command, "the command is empty");
  if (absl::StrContains(command, "/")) {
    const std::error_code error = CheckExecutable(command);
    if (error) return NotFound(command, error.message());
    return command;
  }
  const char* folders = std::getenv("PATH");
  for (absl::string_view folder : absl::StrSplit(folders == nullptr ? "" : folders, ':')) {
    // As in a shell, an empty entry means the current folder.
    const std::string path = absl::StrCat(folder.empty() ? "." : folder, "/", command);
    if (CheckExecutable(path)) continue;
    if (path.front() == '/') return path;
    return NotFound(command, "cannot run executable found relative to current directory");
  }
  return NotFound(command, "executable file not found in $PATH");
}

absl::Status CheckPolicy(const ExecPolicy& policy) {
  if (policy.type != ExecPolicy::Type::kAllowlist) {
    if (policy.allowlist.empty()) return absl::OkStatus();
    return absl::InvalidArgumentError(
        "exec_policy: misconfigured credential plugin allowlist: plugin policy is not "
        "\"Allowlist\" but allowlist is not empty");
  }
  if (policy.allowlist.empty()) {
    return absl::InvalidArgumentError(
        "exec_policy: credential plugin policy set to \"Allowlist\", but allowlist is empty; use "
        "\"DenyAll\" policy instead");
  }
  for (const std::string& entry : policy.allowlist) {
    if (absl::Status status = CheckEntry(entry); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status MayRun(const ExecPolicy& policy, const std::string& command,
                    const absl::StatusOr<std::string>& program) {
  switch (policy.type) {
    case ExecPolicy::Type::kAllowAll:
      return absl::OkStatus();
    case ExecPolicy::Type::kDenyAll:
      return absl::FailedPreconditionError(
          absl::StrCat("plugin \"", command, "\" not allowed: policy set to \"DenyAll\""));
    case ExecPolicy::Type::kAllowlist:
      break;
  }
  if (absl::c_linear_search(policy.allowlist, Clean(command))) return absl::OkStatus();
  if (!program.ok()) return program.status();
  const bool listed = absl::c_any_of(policy.allowlist, [&](const std::string& entry) {
    return entry == Clean(*program) || IsSameProgram(entry, *program);
  });
  if (listed) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "plugin path \"", *program, "\" is not permitted by the credential plugin allowlist"));
}

}  // namespace kube::rest::internal
