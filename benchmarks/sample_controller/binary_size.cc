#include "benchmarks/sample_controller/binary_size.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"

namespace kube::benchmarks {
namespace {

std::string Quoted(absl::string_view word) {
  return absl::StrCat("'", absl::StrReplaceAll(word, {{"'", "'\\''"}}), "'");
}

absl::Status Shell(const std::string& command) {
  if (std::system(command.c_str()) == 0) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("run ", command, ": it failed"));
}

absl::StatusOr<int64_t> FileBytes(const std::string& path) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  if (error) return absl::ErrnoToStatus(error.value(), absl::StrCat("size of ", path));
  return static_cast<int64_t>(bytes);
}

}  // namespace

absl::StatusOr<BinarySize> MeasureBinary(const std::string& program, const std::string& folder) {
  const std::string stripped = absl::StrCat(folder, "/stripped");
  const std::string listed = absl::StrCat(folder, "/libraries");
  KUBE_RETURN_IF_ERROR(Shell(absl::StrCat("strip -o ", Quoted(stripped), " ", Quoted(program))));
  BinarySize size;
  KUBE_ASSIGN_OR_RETURN(size.stripped_bytes, FileBytes(stripped));
  // ldd fails for static programs; strip has already checked that this is a program.
  Shell(absl::StrCat("ldd ", Quoted(stripped), " >", Quoted(listed), " 2>/dev/null")).IgnoreError();
  std::ifstream lines(listed);
  std::string word;
  // Lines such as "libz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x0000…)"; the loader's has only a
  // path.
  while (lines >> word) {
    if (word.front() != '/') continue;
    KUBE_ASSIGN_OR_RETURN(const int64_t bytes, FileBytes(word));
    size.libraries.emplace_back(std::filesystem::path(word).filename(), bytes);
  }
  std::sort(size.libraries.begin(), size.libraries.end());
  return size;
}

}  // namespace kube::benchmarks
