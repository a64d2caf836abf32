#ifndef APIMACHINERY_CODEC_INTERNAL_BLOCK_WRITER_H_
#define APIMACHINERY_CODEC_INTERNAL_BLOCK_WRITER_H_

// Copies everything to which a value points into one block of memory: structs, lists, maps and
// boxes from its front, the bytes of strings from its back. Values in nodes of a SharingStore stay
// there.

#include <cstddef>

#include "absl/strings/string_view.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {

// Each function replaces the pointers in a value by pointers to copies in the block. It returns
// false if the block is too small; the value must not be used then.
class BlockWriter {
 public:
  // Writes into the block of an object. `front` is aligned to eight bytes.
  BlockWriter(char* front, char* back) : front_(front), back_(back) {}
  // Writes into a node, which has a copy of `encoded` at `encoded_copy`. Strings that are part of
  // `encoded` are not copied again.
  BlockWriter(char* front, char* back, absl::string_view encoded, const char* encoded_copy)
      : front_(front), back_(back), encoded_(encoded), encoded_copy_(encoded_copy) {}

  // Copies what a struct points to.
  bool Message(char* value, const kube::table::Message& message);
  // Copy the list, map or box at `member`. A box must not be null.
  bool List(char* member, kube::table::Type type);
  bool Map(char* member, kube::table::Type type);
  bool Box(char* member, kube::table::Type type);
  // Copies what `count` values point to, which are `stride` bytes apart.
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
  // Copies the block of a list or map without what its elements point to. Returns the elements of
  // the copy, or null if there is no room.
  char* Block(char* member, size_t element_size);

  char* front_;
  char* back_;
  const absl::string_view encoded_;
  const char* const encoded_copy_ = nullptr;
};

// Returns the bytes that a BlockWriter needs for what `count` values point to, which are `stride`
// bytes apart.
size_t BlockBytes(const char* first, size_t count, size_t stride, kube::table::Type type);
// Returns the bytes that it needs for the list, map or box at `member` in a node with this
// encoding.
size_t NodeBytes(const char* member, kube::table::Shape shape, kube::table::Type element,
                 absl::string_view encoded);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_BLOCK_WRITER_H_
