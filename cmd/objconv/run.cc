#include "cmd/objconv/run.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <istream>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "cmd/objconv/command_line.h"
#include "cmd/objconv/object_writer.h"
#include "cmd/objconv/read_objects.h"
#include "cmd/objconv/stats.h"

namespace kube::objconv {

namespace {

constexpr int kRefused = 1;
constexpr int kWrongCommand = 2;
constexpr int kNoFile = 3;

// Returns the cause of a failed file operation, from errno.
std::string Cause() { return errno == 0 ? "input/output error" : std::strerror(errno); }

absl::StatusOr<codec::PaddedBuffer> ReadAll(std::istream& in) {
  codec::PaddedBuffer bytes;
  std::vector<char> chunk(1 << 16);
  errno = 0;
  while (in.read(chunk.data(), static_cast<std::streamsize>(chunk.size())), in.gcount() > 0) {
    bytes.Append({chunk.data(), static_cast<size_t>(in.gcount())});
  }
  if (in.bad()) return absl::UnavailableError(Cause());
  return bytes;
}

absl::StatusOr<codec::PaddedBuffer> ReadFile(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::UnavailableError(Cause());
  return ReadAll(file);
}

absl::Status WriteFile(const std::filesystem::path& path, const std::string& bytes) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  file.close();
  return file ? absl::OkStatus() : absl::UnavailableError(Cause());
}

// Returns the output path of --out-dir for an input file.
std::filesystem::path OutputPath(const CommandLine& command, const std::string& file) {
  const std::filesystem::path name = std::filesystem::path(file).filename();
  const std::string extension = name.extension().string();
  const bool is_known =
      extension == ".json" || extension == ".yaml" || extension == ".yml" || extension == ".pb";
  return std::filesystem::path(command.out_dir) /
         absl::StrCat((is_known ? name.stem() : name).string(), ".", ExtensionOf(command.output));
}

class Program {
 public:
  Program(const CommandLine& command, std::istream& in, std::ostream& out, std::ostream& err)
      : command_(command), in_(in), out_(out), err_(err), writer_(command.output) {}

  int Run() {
    if (!command_.out_dir.empty() && !PrepareFolder()) return code_;
    const std::vector<std::string> standard_input = {"-"};
    for (const std::string& file : command_.files.empty() ? standard_input : command_.files) {
      Convert(file);
    }
    if (command_.stats) out_ << stats_.Table();
    out_ << writer_.Take(/*is_end=*/true) << std::flush;
    if (!out_) Fail(kNoFile, "write standard output: input/output error");
    return code_;
  }

 private:
  void Fail(int code, absl::string_view error) {
    err_ << "objconv: " << error << "\n";
    code_ = std::max(code_, code);
  }

  // Refuses inputs with the same output path, and creates the folder.
  bool PrepareFolder() {
    std::map<std::filesystem::path, std::string> outputs;
    for (const std::string& file : command_.files) {
      const auto [other, is_new] = outputs.emplace(OutputPath(command_, file), file);
      if (is_new && file != "-") continue;
      Fail(kWrongCommand,
           file == "-"
               ? absl::StrCat("write standard input to ", command_.out_dir, ": it has no file name")
               : absl::StrCat("write ", other->first.string(), ": both ", other->second, " and ",
                              file, " would be written to it"));
      return false;
    }
    std::error_code error;
    std::filesystem::create_directories(command_.out_dir, error);
    if (error) {
      Fail(kNoFile, absl::StrCat("create directory ", command_.out_dir, ": ", error.message()));
    }
    return !error;
  }

  void Convert(const std::string& file) {
    const std::string name = file == "-" ? "standard input" : file;
    const absl::StatusOr<codec::PaddedBuffer> bytes = file == "-" ? ReadAll(in_) : ReadFile(file);
    if (!bytes.ok())
      return Fail(kNoFile, absl::StrCat("read ", name, ": ", bytes.status().message()));
    const auto refuse = [&](const absl::Status& error) {
      Fail(kRefused, absl::StrCat("convert ", name, ": ", error.message()));
    };
    ObjectWriter own_writer(command_.output);
    ObjectWriter& writer = command_.out_dir.empty() ? writer_ : own_writer;
    const auto take = [&](const codec::AnyObject& object, size_t size) {
      if (command_.stats) return stats_.Add(object, size);
      if (command_.check) return;
      if (absl::Status status = writer.Write(object); !status.ok()) return refuse(status);
      if (command_.out_dir.empty()) out_ << writer.Take(/*is_end=*/false);
    };
    ReadObjects(*bytes, command_.strict, take, refuse);
    if (!command_.out_dir.empty()) Save(file, own_writer.Take(/*is_end=*/true));
  }

  void Save(const std::string& file, const std::string& bytes) {
    const std::filesystem::path path = OutputPath(command_, file);
    const absl::Status status = WriteFile(path, bytes);
    if (!status.ok()) {
      Fail(kNoFile, absl::StrCat("write ", path.string(), ": ", status.message()));
    }
  }

  const CommandLine& command_;
  std::istream& in_;
  std::ostream& out_;
  std::ostream& err_;
  ObjectWriter writer_;
  Stats stats_;
  int code_ = 0;
};

}  // namespace

int Run(absl::Span<const std::string> arguments, std::istream& in, std::ostream& out,
        std::ostream& err) {
  const absl::StatusOr<CommandLine> command = ParseCommandLine(arguments);
  if (!command.ok()) {
    err << "objconv: read command line: " << command.status().message() << "\n"
        << "Try 'objconv --help' for more information.\n";
    return kWrongCommand;
  }
  if (command->help) {
    out << kUsage;
    return 0;
  }
  return Program(*command, in, out, err).Run();
}

}  // namespace kube::objconv
