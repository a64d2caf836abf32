#ifndef APIMACHINERY_BASE_LOG_LOG_SINK_H_
#define APIMACHINERY_BASE_LOG_LOG_SINK_H_

#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/base/internal/leaf_mutex.h"
#include "apimachinery/base/log/log_record.h"

namespace kube::log {

// Receives log records. Implement it to feed another logging system.
//
// An implementation must be thread-safe: Write is called on the thread that logs, by several
// threads at a time. This library holds no lock of its own logging meanwhile, but the thread that
// logs may hold locks, so Write must not wait for a thread that may log. What Write itself logs
// goes to standard error.
class Sink {
 public:
  virtual ~Sink() = default;

  // Writes or drops a record, which is valid until Write returns.
  virtual void Write(const Record& record) = 0;
};

// Writes klog's text to a file descriptor. The default sink is a TextSink on standard error.
//
// Thread-safe; each record is written in one piece, whatever its length. Output that cannot be
// written is dropped. The caller keeps the descriptor, which must outlive the sink.
class TextSink : public Sink {
 public:
  explicit TextSink(int fd) : fd_(fd) {}
  void Write(const Record& record) override;

 private:
  const int fd_;
  base::internal::LeafMutex mutex_;  // keeps the parts of a long line together
};

// Like TextSink, with one JSON object per line.
class JsonSink : public Sink {
 public:
  explicit JsonSink(int fd) : fd_(fd) {}
  void Write(const Record& record) override;

 private:
  const int fd_;
  base::internal::LeafMutex mutex_;
};

}  // namespace kube::log

#endif  // APIMACHINERY_BASE_LOG_LOG_SINK_H_
