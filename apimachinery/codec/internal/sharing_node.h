#ifndef APIMACHINERY_CODEC_INTERNAL_SHARING_NODE_H_
#define APIMACHINERY_CODEC_INTERNAL_SHARING_NODE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

#include "absl/strings/string_view.h"
#include "apimachinery/types/internal/layout.h"

namespace kube::codec::internal {

// A value that objects share: its encoded bytes, and what they mean. One piece of memory, never
// changed after it is made. The table of a SharingStore holds one reference, each object one for
// each place that it points here from. Whoever drops the last one frees it: objects are dropped
// by any thread, the store may be long gone by then.
//
// References are added only by the thread that decodes, which finds nodes in the table: one that
// only the table refers to cannot gain another reference while that thread looks at it.
class SharingNode {
 public:
  // With one reference, the table's. `bytes`: in all, with the node itself.
  static SharingNode* Make(size_t bytes, absl::string_view encoded, uint64_t hash,
                           const void* type) {
    return new (kube::internal::Allocate(bytes)) SharingNode(bytes, encoded, hash, type);
  }
  static constexpr size_t Bytes(size_t encoded, size_t value) {
    return sizeof(SharingNode) + kube::internal::AlignUp(encoded) + value;
  }

  SharingNode(const SharingNode&) = delete;
  SharingNode& operator=(const SharingNode&) = delete;

  void AddReference() { references_.fetch_add(1, std::memory_order_relaxed); }
  void DropReference() {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      this->~SharingNode();
      kube::internal::Free(reinterpret_cast<char*>(this));
    }
  }
  // Whether the table alone refers to it.
  bool IsUnused() const { return references_.load(std::memory_order_acquire) == 1; }

  bool Is(uint64_t hash, const void* type, absl::string_view encoded) const {
    return hash_ == hash && type_ == type && this->encoded() == encoded;
  }

  size_t bytes() const { return bytes_; }
  uint64_t hash() const { return hash_; }
  char* encoded_data() { return reinterpret_cast<char*>(this + 1); }
  absl::string_view encoded() const {
    return {reinterpret_cast<const char*>(this + 1), encoded_size_};
  }
  // Where the value's own memory begins and ends.
  char* front() { return encoded_data() + kube::internal::AlignUp(encoded_size_); }
  char* back() { return reinterpret_cast<char*>(this) + bytes_; }

  // What a member that shares the value holds; of strings: nothing, their bytes are encoded().
  uint64_t member() const { return member_; }
  void set_member(uint64_t member) { member_ = member; }

 private:
  SharingNode(size_t bytes, absl::string_view encoded, uint64_t hash, const void* type);
  ~SharingNode() = default;

  std::atomic<uint32_t> references_{1};
  const uint32_t encoded_size_;
  const uint64_t hash_;
  const void* const type_;
  const uint64_t bytes_;
  uint64_t member_ = 0;
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_SHARING_NODE_H_
