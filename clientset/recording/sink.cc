#include "clientset/recording/sink.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "net/io/file_descriptor.h"

namespace kube::recording {
namespace {

bool Fits(int64_t size, absl::string_view line, const SinkOptions& options) {
  return size + static_cast<int64_t>(line.size()) <= options.max_bytes;
}

absl::Status ErrorOf(int error_number, absl::string_view verb, absl::string_view path) {
  return absl::ErrnoToStatus(error_number, absl::StrCat(verb, " \"", path, "\""));
}

class AppendingSink final : public FileSink {
 public:
  AppendingSink(std::string path, io::FileDescriptor file, int64_t size, SinkOptions options)
      : path_(std::move(path)), options_(options), file_(std::move(file)), size_(size) {}

  void Write(absl::string_view line) override {
    base::MutexLock lock(mutex_);
    if (!status_.ok()) return;
    if (Fits(size_, line, options_)) {
      WriteAll(line);
      return;
    }
    WriteAll(kFullLine);
    if (status_.ok()) {
      status_ = absl::ResourceExhaustedError(
          absl::StrCat("write \"", path_, "\": the limit of ", options_.max_bytes, " bytes"));
    }
  }

  absl::Status status() const override {
    base::MutexLock lock(mutex_);
    return status_;
  }

 private:
  void WriteAll(absl::string_view line) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    while (!line.empty()) {
      const ssize_t written = ::write(file_.get(), line.data(), line.size());
      if (written >= 0) {
        line.remove_prefix(static_cast<size_t>(written));
        size_ += written;
      } else if (errno != EINTR) {
        status_ = ErrorOf(errno, "write", path_);
        return;
      }
    }
  }

  const std::string path_;
  const SinkOptions options_;
  mutable base::Mutex mutex_;
  io::FileDescriptor file_ ABSL_GUARDED_BY(mutex_);
  int64_t size_ ABSL_GUARDED_BY(mutex_);
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
  char last = '\n';
  if (S_ISREG(info.st_mode) && info.st_size > 0 &&
      ::pread(file.get(), &last, 1, info.st_size - 1) < 0) {
    return ErrorOf(errno, "read", path);
  }
  if (last != '\n') {
    return absl::FailedPreconditionError(absl::StrCat(
        "open \"", path, "\": its last line is incomplete: move the file away, or end that line"));
  }
  return std::make_shared<AppendingSink>(path, std::move(file), static_cast<int64_t>(info.st_size),
                                         options);
}

}  // namespace kube::recording
