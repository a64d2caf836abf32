#include "apimachinery/base/testing/log_capture.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/internal/leaf_mutex.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/log/log_record.h"

namespace kube::log {

class LogCapture::CaptureSink : public Sink {
 public:
  void Write(const Record& record) override {
    static constexpr const char* kLetters[] = {"I ", "W ", "E "};
    std::string line =
        absl::StrCat(kLetters[static_cast<int>(record.severity)], FormatTextBody(record));
    base::internal::LeafLock lock(mutex_);
    lines_.push_back(std::move(line));
  }

  std::vector<std::string> Lines() {
    base::internal::LeafLock lock(mutex_);
    return lines_;
  }

 private:
  base::internal::LeafMutex mutex_;
  std::vector<std::string> lines_ ABSL_GUARDED_BY(mutex_);
};

LogCapture::LogCapture() : sink_(std::make_shared<CaptureSink>()), previous_(SetSink(sink_)) {}

LogCapture::~LogCapture() { SetSink(std::move(previous_)); }

std::vector<std::string> LogCapture::Lines() const { return sink_->Lines(); }

}  // namespace kube::log
