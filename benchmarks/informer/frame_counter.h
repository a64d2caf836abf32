#ifndef BENCHMARKS_INFORMER_FRAME_COUNTER_H_
#define BENCHMARKS_INFORMER_FRAME_COUNTER_H_

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace kube::benchmarks {

// Counts the events of a watch's body, and looks at nothing in them. Thread-compatible.
class FrameCounter {
 public:
  // Of protobuf: each has four bytes of its length before it. Of JSON: each ends with its line.
  explicit FrameCounter(bool protobuf) : protobuf_(protobuf) {}

  // The next piece of the body, cut anywhere.
  void Add(absl::string_view piece);

  // Those that are whole.
  int64_t count() const { return count_; }
  // Of the last of them, in bytes; zero before the first.
  size_t last_size() const { return last_size_; }

 private:
  void AddProtobuf(absl::string_view piece);
  void AddJson(absl::string_view piece);
  void End(size_t size);

  const bool protobuf_;
  int64_t count_ = 0;
  size_t last_size_ = 0;
  // Of the one that is not whole: its length, as far as known, in so many bytes; and what has come.
  size_t size_ = 0;
  int size_bytes_ = 0;
  size_t have_ = 0;
};

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_INFORMER_FRAME_COUNTER_H_
