#ifndef APIMACHINERY_BASE_LOG_LOG_SINK_H_
#define APIMACHINERY_BASE_LOG_LOG_SINK_H_

#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/base/internal/leaf_mutex.h"
#include "apimachinery/base/log/log_record.h"

namespace kube::log {

// Where log records go: implement it to feed another logging system.
//
// Contract: records come from any thread, several at a time, without any lock of this library
// held; so an implementation is thread-safe. It must not wait for a thread that may log. What it
// logs itself while it writes goes to standard error instead.
class Sink {
 public:
  virtual ~Sink() = default;

  // Writes or drops one record, which is valid until Write returns.
  virtual void Write(const Record& record) = 0;
};

// Writes klog's text to a file descriptor: the default sink does so to standard error.
//
// Thread-safe; each record is one piece, whatever its length. What cannot be written is dropped.
// The descriptor remains the caller's and outlives the sink.
class TextSink : public Sink {
 public:
  explicit TextSink(int fd) : fd_(fd) {}
  void Write(const Record& record) override;

 private:
  const int fd_;
  base::internal::LeafMutex mutex_;  // keeps the pieces of a long line together
};

// The same with a JSON object a line.
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
