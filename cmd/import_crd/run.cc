#include "cmd/import_crd/run.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "apimachinery/base/status.h"
#include "cmd/import_crd/command_line.h"
#include "codegen/crd_import/import_crds.h"

namespace kube::import_crd {
namespace {

constexpr int kRefused = 1;
constexpr int kWrongCommand = 2;
constexpr int kNoFile = 3;

using codegen::CrdFile;
using codegen::ImportedIdl;

// Returns the cause of a failed file operation, from errno.
std::string Cause() { return errno == 0 ? "input/output error" : std::strerror(errno); }

absl::StatusOr<std::vector<CrdFile>> ReadFiles(const std::vector<std::string>& names) {
  std::vector<CrdFile> files;
  for (const std::string& name : names) {
    errno = 0;
    std::ifstream file(name, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file.is_open() || file.bad()) {
      return absl::UnavailableError(absl::StrCat("read ", name, ": ", Cause()));
    }
    files.push_back({.name = name, .text = std::move(text)});
  }
  return files;
}

absl::Status WriteFile(const std::filesystem::path& path, const std::string& text) {
  std::error_code error;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), error);
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("write ", path.string(), ": ", Cause()));
}

// Returns the only file, or what to do about several.
absl::StatusOr<ImportedIdl> OnlyOne(std::vector<ImportedIdl> imported) {
  if (imported.size() == 1) return std::move(imported.front());
  std::vector<std::string> versions;
  for (const ImportedIdl& each : imported) {
    versions.push_back(absl::StrCat(each.group, "/", each.version));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("the files have several versions: choose one by --version, or write them all by "
                   "--out-dir, in Bazel by `versions`: ",
                   absl::StrJoin(versions, ", ")));
}

absl::Status WriteAll(const std::string& folder, const std::vector<ImportedIdl>& imported) {
  for (const ImportedIdl& each : imported) {
    const std::filesystem::path path =
        std::filesystem::path(folder) / each.group / (each.version + ".proto");
    KUBE_RETURN_IF_ERROR(WriteFile(path, each.text));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<ImportedIdl>> Import(const CommandLine& command) {
  KUBE_ASSIGN_OR_RETURN(const std::vector<CrdFile> files, ReadFiles(command.files));
  codegen::ImportCrdsOptions options = {.versions = command.versions};
  if (!command.package.empty()) options.package_prefix = command.package;
  KUBE_ASSIGN_OR_RETURN(std::vector<ImportedIdl> imported, codegen::ImportCrds(files, options));
  if (!imported.empty()) return imported;
  return absl::InvalidArgumentError(
      absl::StrCat("no CustomResourceDefinition in ", absl::StrJoin(command.files, ", ")));
}

absl::Status RunCommand(const CommandLine& command, std::ostream& out) {
  KUBE_ASSIGN_OR_RETURN(std::vector<ImportedIdl> imported, Import(command));
  if (!command.out_dir.empty()) return WriteAll(command.out_dir, imported);
  KUBE_ASSIGN_OR_RETURN(const ImportedIdl only, OnlyOne(std::move(imported)));
  if (!command.out.empty()) return WriteFile(command.out, only.text);
  out << only.text;
  return absl::OkStatus();
}

}  // namespace

int Run(absl::Span<const std::string> arguments, std::ostream& out, std::ostream& err) {
  const absl::StatusOr<CommandLine> command = ParseCommandLine(arguments);
  if (!command.ok()) {
    err << "import_crd: " << command.status().message() << "\nTry import_crd --help.\n";
    return kWrongCommand;
  }
  if (command->help) {
    out << kUsage;
    return 0;
  }
  const absl::Status status = RunCommand(*command, out);
  if (status.ok()) return 0;
  err << "import_crd: " << status.message() << "\n";
  return status.code() == absl::StatusCode::kUnavailable ? kNoFile : kRefused;
}

}  // namespace kube::import_crd
