#include "net/io/secret_reader.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/secret.h"

namespace kube::io {

namespace {

constexpr size_t kMaxFileBytes = size_t{4} << 20;

absl::Status ReadError(const std::string& path, absl::string_view cause) {
  return absl::InvalidArgumentError(absl::StrCat("read \"", path, "\": ", cause));
}

absl::StatusOr<base::Secret> ReadToEnd(int fd, const std::string& path) {
  SecretReader reader(kMaxFileBytes);
  while (true) {
    switch (reader.ReadFrom(fd)) {
      case SecretReader::Result::kMore:
        continue;
      case SecretReader::Result::kEnd:
        return reader.Take();
      case SecretReader::Result::kTooLong:
        return ReadError(path, absl::StrCat("file is larger than ", kMaxFileBytes, " bytes"));
      case SecretReader::Result::kWouldBlock:
      case SecretReader::Result::kError:
        return ReadError(path, std::generic_category().message(errno));
    }
  }
}

}  // namespace

// Reserves everything at once: a string that grows would leave its old content in freed memory.
// Pages that are never written cost nothing.
SecretReader::SecretReader(size_t max_bytes) : max_bytes_(max_bytes) { data_.reserve(max_bytes); }

SecretReader::Result SecretReader::ReadFrom(int fd) {
  char piece[16 << 10];
  ssize_t n = 0;
  do {
    n = read(fd, piece, sizeof(piece));
  } while (n < 0 && errno == EINTR);
  if (n < 0) return errno == EAGAIN ? Result::kWouldBlock : Result::kError;
  if (n == 0) return Result::kEnd;
  const auto size = static_cast<size_t>(n);
  const bool fits = size <= max_bytes_ - data_.size();
  if (fits) data_.append(piece, size);
  base::WipeMemory(piece, size);
  return fits ? Result::kMore : Result::kTooLong;
}

base::Secret SecretReader::Take() { return base::Secret(std::exchange(data_, std::string())); }

absl::StatusOr<base::Secret> ReadSecretFile(const std::string& path) {
  // The system would open the file whose name ends at the zero byte.
  if (path.find('\0') != std::string::npos) {
    return absl::InvalidArgumentError("read file: file name contains NUL");
  }
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return ReadError(path, std::generic_category().message(errno));
  absl::StatusOr<base::Secret> content = ReadToEnd(fd, path);
  close(fd);
  if (content.ok() && absl::StripAsciiWhitespace(content->Reveal()).empty()) {
    return ReadError(path, "the file is empty");
  }
  return content;
}

}  // namespace kube::io
