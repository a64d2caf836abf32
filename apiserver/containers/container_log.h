#ifndef APISERVER_CONTAINERS_CONTAINER_LOG_H_
#define APISERVER_CONTAINERS_CONTAINER_LOG_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/mutex.h"

namespace kube::apiserver::internal {

// What one run of a container has written: lines, each with the time at which it began. The oldest
// lines go when there are more than `max_bytes`. Thread-safe.
class ContainerLog {
 public:
  static constexpr size_t kMaxBytes = size_t{64} << 20;

  explicit ContainerLog(size_t max_bytes = kMaxBytes) : max_bytes_(max_bytes) {}

  // Appends text, which may have any number of line feeds or no line feed: what follows the last
  // line feed is a line that goes on with the next call. More may follow, also after End.
  void Append(absl::string_view text, absl::Time now);
  // Says that no more follows.
  void End();
  // Does the same, and text that is appended later does not make the log go on: a thread that
  // appends may have got this log before another log took its place.
  void EndForGood();

  // A place between two bytes of a log, which stays the same when lines go.
  struct Position {
    int64_t line = 0;
    size_t offset = 0;
  };
  // A line, or a part of it.
  struct Chunk {
    absl::Time time = {};  // of the line
    std::string text = {};
    bool begins_line = true;
  };
  struct Piece {
    std::vector<Chunk> chunks = {};
    Position next = {};
    // Whether there are more bytes after this piece.
    bool more = false;
    // Whether no more bytes follow.
    bool ended = false;
  };
  // Returns what follows a position: whole lines, up to about `max_bytes`. If these lines have
  // gone, it begins with the oldest that are kept.
  Piece Read(Position from, size_t max_bytes) const;
  // Returns the position before the last `lines` lines, or that of the oldest line if it is unset.
  Position Tail(std::optional<int64_t> lines) const;

  // Calls `changed` after each Append and End, until the result is destroyed; a call that has
  // started may still run then. It runs on the thread that appends, without a lock held, and must
  // not block.
  [[nodiscard]] std::shared_ptr<void> Watch(std::function<void()> changed);

 private:
  struct Line {
    absl::Time time = {};
    std::string text = {};  // with its line feed; only the last line may have none
  };
  using Watcher = std::function<void()>;

  void AppendLine(absl::string_view text, absl::Time now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Calls the watchers. Call it without the lock.
  void Notify();

  const size_t max_bytes_;
  mutable base::Mutex mutex_;
  std::deque<Line> lines_ ABSL_GUARDED_BY(mutex_);
  int64_t first_ ABSL_GUARDED_BY(mutex_) = 0;  // the number of the first line
  size_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  bool ended_for_good_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::weak_ptr<const Watcher>> watchers_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CONTAINERS_CONTAINER_LOG_H_
