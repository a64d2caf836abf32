#ifndef APIMACHINERY_BASE_LOG_ABSL_LOG_SINK_H_
#define APIMACHINERY_BASE_LOG_ABSL_LOG_SINK_H_

// Abseil has absl/log since 20230125; with an older release this header is empty.
#if __has_include("absl/log/log.h")

#include "absl/base/log_severity.h"
#include "absl/log/log.h"
#include "apimachinery/base/log/log_record.h"
#include "apimachinery/base/log/log_sink.h"

namespace kube::log {

// Passes records to absl/log, for programs that log with it: absl's flags, log sinks and files then
// apply. Severity, time, place and verbosity are kept. The text is klog's without the header:
//
//   "synced informer" resource="pods" count=3
//
// SetVerbosity, not absl's --v, decides which KUBE_VLOG messages arrive.
//
// Thread-safe. It is not the default: install it once, at the start of the program. Never combine
// it with an absl::LogSink that logs through kube::log.
//
//   kube::log::SetSink(std::make_shared<kube::log::AbslLogSink>());
class AbslLogSink : public Sink {
 public:
  void Write(const Record& record) override {
    LOG(LEVEL(AbslSeverity(record.severity)))
            .AtLocation(record.where.file, record.where.line)
            .WithTimestamp(record.time)
            .WithVerbosity(record.verbosity)
        << FormatTextBody(record);
  }

 private:
  static absl::LogSeverity AbslSeverity(Severity severity) {
    switch (severity) {
      case Severity::kInfo:
        return absl::LogSeverity::kInfo;
      case Severity::kWarning:
        return absl::LogSeverity::kWarning;
      case Severity::kError:
        return absl::LogSeverity::kError;
    }
    return absl::LogSeverity::kInfo;
  }
};

}  // namespace kube::log

#endif  // absl/log

#endif  // APIMACHINERY_BASE_LOG_ABSL_LOG_SINK_H_
