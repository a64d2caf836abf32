#ifndef NET_IO_BYTE_QUEUE_H_
#define NET_IO_BYTE_QUEUE_H_

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::io {

// Bytes that wait between the two sides of a stream, first in, first out. They are kept in pieces,
// which are handed out without a copy. The queue has no limit: its users have one.
// Thread-compatible.
class ByteQueue {
 public:
  // Adds a copy of the bytes. Small pieces are joined, so that a byte does not cost a string.
  void Append(absl::string_view bytes);

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // Removes the first piece and returns it; returns "" if the queue is empty.
  std::string Take();
  // Moves bytes to the end of `out`, at most `most` of them.
  void TakeInto(std::string& out, size_t most);
  // Keeps the memory of a piece for bytes that are added later.
  void Recycle(std::string piece);
  void Clear();

 private:
  std::deque<std::string> pieces_;  // none is empty
  size_t offset_ = 0;               // bytes taken of the first piece
  size_t size_ = 0;
  std::vector<std::string> spare_;
};

}  // namespace kube::io

#endif  // NET_IO_BYTE_QUEUE_H_
