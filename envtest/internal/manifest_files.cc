#include "envtest/internal/manifest_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace kube::envtest::internal {
namespace {

bool IsManifest(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".json" || extension == ".yaml" || extension == ".yml";
}

bool Exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

// Returns the path of a runfile, or `path` if there is none of that name.
std::string FindRunfile(const std::string& path) {
  if (path.empty() || path.front() == '/' || Exists(path)) return path;
  for (const char* const variable : {"TEST_SRCDIR", "RUNFILES_DIR"}) {
    const char* const folder = std::getenv(variable);
    if (folder == nullptr || *folder == '\0') continue;
    std::string found = absl::StrCat(folder, "/", path);
    if (Exists(found)) return found;
    const char* const workspace = std::getenv("TEST_WORKSPACE");
    if (workspace == nullptr) continue;
    found = absl::StrCat(folder, "/", workspace, "/", path);
    if (Exists(found)) return found;
  }
  return path;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> ManifestFiles(const std::string& named) {
  const std::string path = FindRunfile(named);
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return std::vector<std::string>{path};
  std::vector<std::string> files;
  for (std::filesystem::directory_iterator it(path, error), end; !error && it != end;
       it.increment(error)) {
    if (it->is_regular_file(error) && IsManifest(it->path())) files.push_back(it->path().string());
  }
  if (error) return absl::NotFoundError(absl::StrCat("read \"", path, "\": ", error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

absl::StatusOr<std::string> ReadManifestFile(const std::string& path) {
  std::ifstream file(path);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (file.fail()) return absl::NotFoundError(absl::StrCat("read \"", path, "\": cannot open"));
  return text;
}

}  // namespace kube::envtest::internal
