#include "apimachinery/table/layout.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace kube::table {
namespace {

// In read-only memory, so that a write to it fails at once.
constexpr ListBlock kEmptyListBlock = {.size = 0, .capacity_and_flags = ListBlock::kInBlock};

}  // namespace

void OutOfMemory(size_t bytes) {
  std::fprintf(stderr, "kube: allocate %zu bytes: out of memory\n", bytes);
  std::abort();
}

void TooLarge(const char* what, size_t size) {
  std::fprintf(stderr, "kube: %s of size %zu is too large\n", what, size);
  std::abort();
}

char* Reallocate(char* memory, size_t bytes) {
  void* moved = std::realloc(memory, bytes);
  if (moved == nullptr) OutOfMemory(bytes);
  return static_cast<char*>(moved);
}

StringRep StringRep::Copy(const char* data, size_t size) {
  if (size <= kMaxInline) return size == 0 ? StringRep() : Inline(data, size);
  if (size > kMaxSize) TooLarge("String", size);
  char* copy = Allocate(size);
  std::memcpy(copy, data, size);
  return Owned(copy, size);
}

ListBlock* EmptyListBlock() { return const_cast<ListBlock*>(&kEmptyListBlock); }

}  // namespace kube::table
