#ifndef CLIENTSET_RECORDING_SINK_H_
#define CLIENTSET_RECORDING_SINK_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"

namespace kube::recording {

// Takes the lines of a recording. Implement it to send them elsewhere. Thread-safe.
class Sink {
 public:
  virtual ~Sink() = default;

  // Adds a line, which is a JSON object and ends in "\n". The Recorder calls it on the threads that
  // send requests and read responses, so it should not block for long. It must not send requests
  // through the recorded client.
  virtual void Write(absl::string_view line) = 0;
};

// The line that follows the last one that had room, and is the last of the recording.
inline constexpr absl::string_view kFullLine = "{\"type\":\"full\"}\n";

struct SinkOptions {
  // The limit of the recording in bytes; for a file, with what it had before. The first line that
  // would exceed it, and all later ones, are dropped, and the recording ends with kFullLine, for
  // which there is always room; programs are not disturbed. A file that is full already stays as it
  // is. Default: 256 MiB.
  int64_t max_bytes = int64_t{256} << 20;
};

// Keeps a recording in memory. Thread-safe.
class MemorySink final : public Sink {
 public:
  explicit MemorySink(SinkOptions options = {}) : options_(options) {}

  void Write(absl::string_view line) override ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns all lines so far, for ParseRecording.
  std::string text() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns the number of lines that were dropped.
  int64_t dropped() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  const SinkOptions options_;
  mutable base::Mutex mutex_;
  std::string text_ ABSL_GUARDED_BY(mutex_);
  int64_t dropped_ ABSL_GUARDED_BY(mutex_) = 0;
};

// Appends a recording to a file. Thread-safe.
class FileSink : public Sink {
 public:
  // Returns OK, or the error that ended the recording, such as a full disk; the program itself is
  // not disturbed by it. RESOURCE_EXHAUSTED means that `max_bytes` was reached. After another error
  // the part of a line that was written is removed, and kFullLine is written if that is possible.
  virtual absl::Status status() const = 0;
};

// Opens a file to which lines are appended, each with one write, so that a program that is killed
// loses at most the line that it was writing. A new file has mode 0600; an existing one keeps its
// mode, and the new recording follows the old one. Two programs must not write to the same file at
// a time.
//
// Returns NOT_FOUND if the folder does not exist, PERMISSION_DENIED, FAILED_PRECONDITION if the
// file's last line is incomplete because a program was killed, or another error; all name the path
// and the cause.
absl::StatusOr<std::shared_ptr<FileSink>> MakeFileSink(const std::string& path,
                                                       SinkOptions options = {});

}  // namespace kube::recording

#endif  // CLIENTSET_RECORDING_SINK_H_
