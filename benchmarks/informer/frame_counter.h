#ifndef BENCHMARKS_INFORMER_FRAME_COUNTER_H_
#define BENCHMARKS_INFORMER_FRAME_COUNTER_H_

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace kube::benchmarks {

// Counts the events in the body of a watch without decoding them. Thread-compatible.
class FrameCounter {
 public:
  // In protobuf, each event is preceded by its length in four bytes; in JSON, each is a line.
  explicit FrameCounter(bool protobuf) : protobuf_(protobuf) {}

  // Adds the next piece of the body, which may be cut anywhere.
  void Add(absl::string_view piece);

  // Returns the number of complete events.
  int64_t count() const { return count_; }
  // Returns the size of the last complete event in bytes; zero before the first.
  size_t last_size() const { return last_size_; }

 private:
  void AddProtobuf(absl::string_view piece);
  void AddJson(absl::string_view piece);
  void End(size_t size);

  const bool protobuf_;
  int64_t count_ = 0;
  size_t last_size_ = 0;
  // The incomplete event: its length, known from `size_bytes_` bytes so far, and the bytes
  // received.
  size_t size_ = 0;
  int size_bytes_ = 0;
  size_t have_ = 0;
};

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_INFORMER_FRAME_COUNTER_H_
