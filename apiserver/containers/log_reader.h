#ifndef APISERVER_CONTAINERS_LOG_READER_H_
#define APISERVER_CONTAINERS_LOG_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/time/time.h"
#include "apiserver/containers/container_log.h"

namespace kube::apiserver::internal {

// Which part of a log is sent, and how: the PodLogOptions that do not choose a container.
struct LogFilter {
  // Begins with the last lines.
  std::optional<int64_t> tail_lines = {};
  // Leaves out lines that began before it, also those of the tail.
  absl::Time since = absl::InfinitePast();
  // Puts the time in front of each line.
  bool timestamps = false;
  // Ends after this number of bytes, perhaps within a line.
  std::optional<int64_t> limit_bytes = {};
};

// The body of a log as a state machine: it is asked for the bytes that are due now. It neither
// waits nor writes. Thread-compatible.
class LogReader {
 public:
  LogReader(std::shared_ptr<const ContainerLog> log, const LogFilter& filter);

  struct Piece {
    std::string bytes = {};
    // Nothing comes after this piece: the log has ended, or the limit is reached.
    bool end = false;
    // More is due at once: call Next again.
    bool more = false;
  };
  // Returns the bytes that are due, up to about 32 KiB. Empty if nothing is due.
  Piece Next();

  // Returns all that is due, at once.
  std::string Rest();

 private:
  std::shared_ptr<const ContainerLog> log_;
  absl::Time since_;
  bool timestamps_;
  std::optional<size_t> remaining_;
  ContainerLog::Position position_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CONTAINERS_LOG_READER_H_
