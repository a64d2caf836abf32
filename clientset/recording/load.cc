#include "clientset/recording/load.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/status.h"
#include "clientset/recording/internal/lines.h"
#include "net/io/file_descriptor.h"

namespace kube::recording {
namespace {

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  const io::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!file.is_open()) return absl::ErrnoToStatus(errno, absl::StrCat("open \"", path, "\""));
  std::string text;
  std::array<char, 65536> buffer = {};
  while (true) {
    const ssize_t size = ::read(file.get(), buffer.data(), buffer.size());
    if (size == 0) return text;
    if (size > 0) {
      text.append(buffer.data(), static_cast<size_t>(size));
    } else if (errno != EINTR) {
      return absl::ErrnoToStatus(errno, absl::StrCat("read \"", path, "\""));
    }
  }
}

}  // namespace

absl::StatusOr<Recording> ParseRecording(absl::string_view text, absl::string_view name) {
  internal::LineReader reader;
  int64_t number = 0;
  while (true) {
    const size_t end = text.find('\n');
    if (end == absl::string_view::npos) break;
    ++number;
    const absl::Status status = reader.Add(text.substr(0, end));
    if (!status.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(name, ":", number, ": ", status.message()));
    }
    text.remove_prefix(end + 1);
  }
  if (number == 0) {
    return absl::InvalidArgumentError(absl::StrCat(name, ":1: the recording is empty"));
  }
  return reader.Take();
}

absl::StatusOr<Recording> LoadRecording(const std::string& path) {
  KUBE_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  return ParseRecording(text, path);
}

}  // namespace kube::recording
