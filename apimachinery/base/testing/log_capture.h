#ifndef APIMACHINERY_BASE_TESTING_LOG_CAPTURE_H_
#define APIMACHINERY_BASE_TESTING_LOG_CAPTURE_H_

#include <memory>
#include <string>
#include <vector>

#include "apimachinery/base/log/log_sink.h"

namespace kube::log {

// Collects the log records of the process during its life, for tests. Thread-safe. Scopes nest; the
// innermost one receives all records.
//
//   LogCapture capture;
//   Sync();
//   EXPECT_THAT(capture.Lines(), Contains(R"(W "relist" resource="pods")"));
class LogCapture {
 public:
  LogCapture();
  ~LogCapture();
  LogCapture(const LogCapture&) = delete;
  LogCapture& operator=(const LogCapture&) = delete;

  // Returns the records in order, one string each: the letter of the severity, a blank, and klog's
  // text without header.
  std::vector<std::string> Lines() const;

 private:
  class CaptureSink;
  std::shared_ptr<CaptureSink> sink_;
  std::shared_ptr<Sink> previous_;
};

}  // namespace kube::log

#endif  // APIMACHINERY_BASE_TESTING_LOG_CAPTURE_H_
