#ifndef APIMACHINERY_CODEC_INTERNAL_BLOCK_WRITER_H_
#define APIMACHINERY_CODEC_INTERNAL_BLOCK_WRITER_H_

// Copies what values point to into one block of memory: structs, lists and boxes from its front,
// the characters of strings from its back. What is in a node of a SharingStore stays there.

#include <cstddef>

#include "absl/strings/string_view.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {

class BlockWriter {
 public:
  // Into the block of an object. `front` is aligned to eight bytes.
  BlockWriter(char* front, char* back) : front_(front), back_(back) {}
  // Into a node, which has a copy of `encoded` at `encoded_copy`: strings that are part of it are
  // not copied again.
  BlockWriter(char* front, char* back, absl::string_view encoded, const char* encoded_copy)
      : front_(front), back_(back), encoded_(encoded), encoded_copy_(encoded_copy) {}

  // Replaces what the value points to by copies. False: the block is too small, and the value is to
  // be forgotten.
  bool Message(char* value, const kube::table::Message& message);
  // Replaces the list, map or box at `member` by a copy in the block, likewise.
  bool List(char* member, kube::table::Type type);
  bool Map(char* member, kube::table::Type type);
  bool Box(char* member, kube::table::Type type);
  // What `count` values point to, `stride` bytes apart.
  bool Elements(char* first, size_t count, size_t stride, kube::table::Type type);

 private:
  char* Get(size_t bytes) {
    bytes = kube::table::AlignUp(bytes);
    if (static_cast<size_t>(back_ - front_) < bytes) [[unlikely]] {
      return nullptr;
    }
    char* memory = front_;
    front_ += bytes;
    return memory;
  }
  bool String(char* value);
  bool JsonValue(char* value);
  char* Block(char* member, size_t element_size);

  char* front_;
  char* back_;
  const absl::string_view encoded_;
  const char* const encoded_copy_ = nullptr;
};

// The bytes that a BlockWriter takes for what `count` values point to, `stride` bytes apart.
size_t BlockBytes(const char* first, size_t count, size_t stride, kube::table::Type type);
// The same for the list, map or box of such elements at `member`, in a node.
size_t NodeBytes(const char* member, kube::table::Shape shape, kube::table::Type element,
                 absl::string_view encoded);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_BLOCK_WRITER_H_
