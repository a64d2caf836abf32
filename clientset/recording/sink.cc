#include "clientset/recording/sink.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "apimachinery/base/status.h"
#include "net/io/file_descriptor.h"

namespace kube::recording {
namespace {

bool Fits(int64_t size, absl::string_view line, const SinkOptions& options) {
  return size + static_cast<int64_t>(line.size()) <= options.max_bytes;
}

absl::Status ErrorOf(int error_number, absl::string_view verb, absl::string_view path) {
  return absl::ErrnoToStatus(error_number, absl::StrCat(verb, " \"", path, "\""));
}

// Returns as many of the last bytes of a file as kFullLine has, or all.
absl::StatusOr<std::string> TailOf(const io::FileDescriptor& file, off_t size,
                                   absl::string_view path) {
  std::string tail(std::min(static_cast<size_t>(size), kFullLine.size()), '\0');
  const ssize_t count =
      ::pread(file.get(), tail.data(), tail.size(), size - static_cast<off_t>(tail.size()));
  if (count < 0) return ErrorOf(errno, "read", path);
  tail.resize(static_cast<size_t>(count));
  return tail;
}

class AppendingSink final : public FileSink {
 public:
  // `ends_full` says whether the last line of the file is kFullLine.
  AppendingSink(std::string path, io::FileDescriptor file, int64_t size, bool ends_full,
                SinkOptions options)
      : path_(std::move(path)),
        options_(options),
        file_(std::move(file)),
        size_(size),
        ends_full_(ends_full) {}

  void Write(absl::string_view line) override {
    base::MutexLock lock(mutex_);
    if (!status_.ok()) return;
    const int64_t before = size_;
    if (Fits(size_, line, options_)) {
      status_ = WriteAll(line);
      if (status_.ok()) {
        ends_full_ = false;
        return;
      }
    } else {
      status_ = absl::ResourceExhaustedError(
          absl::StrCat("write \"", path_, "\": the limit of ", options_.max_bytes, " bytes"));
    }
    // Not behind a part of a line, which a pipe keeps. A disk that has no room for a line may have
    // some for this one; otherwise `status_` alone tells.
    if (ends_full_ || size_ != before) return;
    WriteAll(kFullLine).IgnoreError();
    ends_full_ = true;
  }

  absl::Status status() const override {
    base::MutexLock lock(mutex_);
    return status_;
  }

 private:
  // Writes a line, or nothing of it.
  absl::Status WriteAll(absl::string_view line) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const int64_t start = size_;
    while (!line.empty()) {
      const ssize_t written = ::write(file_.get(), line.data(), line.size());
      if (written >= 0) {
        line.remove_prefix(static_cast<size_t>(written));
        size_ += written;
      } else if (errno != EINTR) {
        const absl::Status error = ErrorOf(errno, "write", path_);
        // Fails for pipes and devices, which have no size.
        if (size_ > start && ::ftruncate(file_.get(), start) == 0) size_ = start;
        return error;
      }
    }
    return absl::OkStatus();
  }

  const std::string path_;
  const SinkOptions options_;
  mutable base::Mutex mutex_;
  io::FileDescriptor file_ ABSL_GUARDED_BY(mutex_);
  int64_t size_ ABSL_GUARDED_BY(mutex_);
  bool ends_full_ ABSL_GUARDED_BY(mutex_);
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

void MemorySink::Write(absl::string_view line) {
  base::MutexLock lock(mutex_);
  if (dropped_ == 0 && Fits(static_cast<int64_t>(text_.size()), line, options_)) {
    text_.append(line.data(), line.size());
    return;
  }
  if (dropped_++ == 0) text_.append(kFullLine.data(), kFullLine.size());
}

std::string MemorySink::text() const {
  base::MutexLock lock(mutex_);
  return text_;
}

int64_t MemorySink::dropped() const {
  base::MutexLock lock(mutex_);
  return dropped_;
}

absl::StatusOr<std::shared_ptr<FileSink>> MakeFileSink(const std::string& path,
                                                       SinkOptions options) {
  io::FileDescriptor file(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0600));
  if (!file.is_open()) return ErrorOf(errno, "open", path);
  struct stat info = {};
  if (::fstat(file.get(), &info) != 0) return ErrorOf(errno, "stat", path);
  std::string tail;
  if (S_ISREG(info.st_mode)) {
    KUBE_ASSIGN_OR_RETURN(tail, TailOf(file, info.st_size, path));
  }
  if (!tail.empty() && tail.back() != '\n') {
    return absl::FailedPreconditionError(absl::StrCat(
        "open \"", path, "\": its last line is incomplete: move the file away, or end that line"));
  }
  return std::make_shared<AppendingSink>(path, std::move(file), static_cast<int64_t>(info.st_size),
                                         /*ends_full=*/tail == kFullLine, options);
}

}  // namespace kube::recording
