#include "apimachinery/base/log/log_sink.h"

#include <unistd.h>

#include <cerrno>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/base/internal/leaf_mutex.h"
#include "apimachinery/base/log/log_record.h"

namespace kube::log {
namespace {

void WriteAll(int fd, base::internal::LeafMutex& mutex, absl::string_view text) {
  base::internal::LeafLock lock(mutex);
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(written);
  }
}

}  // namespace

void TextSink::Write(const Record& record) { WriteAll(fd_, mutex_, FormatText(record)); }

void JsonSink::Write(const Record& record) { WriteAll(fd_, mutex_, FormatJson(record)); }

}  // namespace kube::log
