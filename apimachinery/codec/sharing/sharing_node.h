#ifndef APIMACHINERY_CODEC_SHARING_SHARING_NODE_H_
#define APIMACHINERY_CODEC_SHARING_SHARING_NODE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include "absl/strings/string_view.h"
#include "apimachinery/table/layout.h"

namespace kube::codec::internal {

// A value that several objects share: its encoded bytes and the decoded value. A node is one piece
// of memory, and its value never changes:
//
//   the node | the ValueHead, except for strings | the encoded bytes | the value's own memory
//
// The table of a SharingStore holds one reference, and each object that points to the node holds
// another. The last reference to be dropped frees the node. Any thread may drop references, also
// after the store was destroyed.
//
// Only the decoding thread adds references, and it finds nodes only through the table. So if the
// table has the only reference, none is added while that thread looks at the node.
class alignas(8) SharingNode {
 public:
  // Maximum size of the encoded bytes, and of the value.
  static constexpr size_t kMaxBytes = UINT32_MAX;

  // Return a node with one reference, which belongs to the table. A string is its own value. For
  // other values, `type` is not null, and `value_bytes` is the size of the value's own memory.
  static SharingNode* MakeString(absl::string_view text) { return Make(text, 0); }
  static SharingNode* MakeValue(absl::string_view encoded, const void* type, size_t value_bytes) {
    SharingNode* node = Make(encoded, sizeof(ValueHead) + value_bytes);
    new (node->head()) ValueHead{.type = type};
    return node;
  }
  // Return the size of the whole node.
  static constexpr size_t StringBytes(size_t size) {
    return sizeof(SharingNode) + kube::table::AlignUp(size);
  }
  static constexpr size_t ValueBytes(size_t encoded, size_t value) {
    return StringBytes(encoded) + sizeof(ValueHead) + value;
  }

  SharingNode(const SharingNode&) = delete;
  SharingNode& operator=(const SharingNode&) = delete;

  void AddReference() { references_.fetch_add(1, std::memory_order_relaxed); }
  void DropReference() {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      this->~SharingNode();
      kube::table::Free(reinterpret_cast<char*>(this));
    }
  }
  // Returns whether the table has the only reference.
  bool IsUnused() const { return references_.load(std::memory_order_acquire) == 1; }

  // Returns whether the node holds this value. `type` is null for strings.
  bool Is(const void* type, absl::string_view encoded) const {
    return encoded_size_ == encoded.size() && BeginsAs(type, encoded);
  }
  // Returns whether the node has this type, and `text` begins with its encoded bytes.
  bool BeginsAs(const void* type, absl::string_view text) const {
    return encoded_size_ <= text.size() && this->type() == type &&
           std::memcmp(encoded_data(), text.data(), encoded_size_) == 0;
  }

  // Returns the size of the whole node.
  size_t bytes() const { return StringBytes(encoded_size_) + head_and_value_bytes_; }
  size_t encoded_size() const { return encoded_size_; }
  const char* encoded_data() const {
    return reinterpret_cast<const char*>(this + 1) + (is_string() ? 0 : sizeof(ValueHead));
  }
  // The start and the end of the value's own memory.
  char* front() { return const_cast<char*>(encoded_data()) + kube::table::AlignUp(encoded_size_); }
  char* back() { return reinterpret_cast<char*>(this) + bytes(); }

  // The number of the object that got a reference last. Used only by the decoding thread.
  uint32_t holder() const { return holder_; }
  void set_holder(uint32_t object) { holder_ = object; }

  bool is_string() const { return head_and_value_bytes_ == 0; }
  // The bits of a List, Map or Box member that shares the value. Not for strings, which point to
  // encoded_data().
  uint64_t member() const { return head()->member; }
  void set_member(uint64_t member) { head()->member = member; }

 private:
  struct ValueHead {
    const void* type;
    uint64_t member = 0;
  };

  static SharingNode* Make(absl::string_view encoded, size_t head_and_value_bytes) {
    char* memory = kube::table::Allocate(StringBytes(encoded.size()) + head_and_value_bytes);
    auto* node = new (memory) SharingNode(encoded.size(), head_and_value_bytes);
    std::memcpy(const_cast<char*>(node->encoded_data()), encoded.data(), encoded.size());
    return node;
  }
  SharingNode(size_t encoded_size, size_t head_and_value_bytes)
      : encoded_size_(static_cast<uint32_t>(encoded_size)),
        head_and_value_bytes_(static_cast<uint32_t>(head_and_value_bytes)) {}
  ~SharingNode() = default;

  const void* type() const { return is_string() ? nullptr : head()->type; }
  ValueHead* head() { return reinterpret_cast<ValueHead*>(this + 1); }
  const ValueHead* head() const { return reinterpret_cast<const ValueHead*>(this + 1); }

  std::atomic<uint32_t> references_{1};
  const uint32_t encoded_size_;
  const uint32_t head_and_value_bytes_;
  uint32_t holder_ = 0;
};
static_assert(sizeof(SharingNode) == 16, "most nodes are of short strings");

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_SHARING_SHARING_NODE_H_
