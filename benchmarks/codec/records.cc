#include "benchmarks/codec/records.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace kube::benchmarks {
namespace {

constexpr size_t kPadding = 64;

absl::StatusOr<absl::string_view> Map(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return absl::ErrnoToStatus(errno, absl::StrCat("open \"", path, "\""));
  struct stat info = {};
  void* data = MAP_FAILED;
  if (fstat(file, &info) == 0) {
    data = mmap(nullptr, info.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
  }
  const int error = errno;
  close(file);
  if (data == MAP_FAILED) return absl::ErrnoToStatus(error, absl::StrCat("map \"", path, "\""));
  return absl::string_view(static_cast<const char*>(data), info.st_size);
}

}  // namespace

absl::StatusOr<Records> OpenRecords(const std::string& path) {
  const absl::StatusOr<absl::string_view> mapped = Map(path);
  if (!mapped.ok()) return mapped.status();
  absl::string_view data = *mapped;
  Records records;
  while (data.size() >= sizeof(uint32_t) + kPadding) {
    uint32_t size = 0;
    std::memcpy(&size, data.data(), sizeof(size));
    data.remove_prefix(sizeof(size));
    if (size == 0) break;
    if (size > data.size() - kPadding) {
      return absl::DataLossError(absl::StrCat("read \"", path, "\": it ends within a record"));
    }
    records.pods.push_back(data.substr(0, size));
    data.remove_prefix(size);
  }
  if (records.pods.size() < 2) {
    return absl::DataLossError(absl::StrCat("read \"", path, "\": it has no pods"));
  }
  records.list = records.pods.back();
  records.pods.pop_back();
  return records;
}

}  // namespace kube::benchmarks
