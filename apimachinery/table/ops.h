#ifndef APIMACHINERY_TABLE_OPS_H_
#define APIMACHINERY_TABLE_OPS_H_

// Copies, destroys, grows and compares values whose types are known at run time. List<T>, Map<T>,
// Box<T> and generated structs call these functions. Thread-compatible: concurrent calls may read
// the same value, but not change it.

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"

namespace kube::table {

// ---- Values: `value` points to a T.

// Frees what the value owns. Does not change its bits.
void DestroyValue(char* value, Type type);
// Completes a copy: `to` holds the bits of `from` (call memcpy first), and receives its own copies
// of the memory to which `from` points.
void CopyValue(char* to, const char* from, Type type);
// Compares semantically: null and empty are equal, quantities compare by number and times as points
// in time, and an absent pointer differs from a present one. apimachinery:
// `equality.Semantic.DeepEqual`.
bool EqualValues(const char* a, const char* b, Type type);
// Equal values have equal hashes within one process.
uint64_t HashValue(const char* value, Type type, uint64_t seed);

// ---- Blocks of lists and maps. A `block` may be null unless stated otherwise.

void DestroyList(ListBlock* block, Type type);
ListBlock* CopyList(const ListBlock* block, Type type);
// Returns an owned block with room for `capacity` elements and the elements of `block`. An owned
// `block` is reallocated; otherwise it remains unchanged and its elements are copied. `capacity`
// must not be less than its size.
ListBlock* GrowList(ListBlock* block, size_t capacity, Type type);
// Adds an element at the end and returns its memory, which the caller must fill. May move the
// block.
char* AppendToList(ListBlock*& block, Type type);
// Inserts `count` elements of zero bits at `index` and returns the first. May move the block.
char* InsertInList(ListBlock*& block, size_t index, size_t count, Type type);
void EraseFromList(ListBlock*& block, size_t index, size_t count, Type type);

// The bytes of one entry of a Map whose values have the given type.
constexpr size_t EntrySize(Type type) { return sizeof(StringRep) + AlignUp(type.size); }

void DestroyMap(ListBlock* block, Type type);
ListBlock* CopyMap(const ListBlock* block, Type type);
ListBlock* GrowMap(ListBlock* block, size_t capacity, Type type);
// Returns the value at `key`, or null.
const char* FindInMap(const ListBlock* block, Type type, absl::string_view key);
// Returns the value at `key`; inserts one of zero bits if `key` is missing. May move the block.
char* FindOrInsertInMap(ListBlock*& block, Type type, absl::string_view key);
// Erases the entry at `key` and returns whether it existed.
bool EraseFromMap(ListBlock*& block, Type type, absl::string_view key);

bool EqualLists(const ListBlock* a, const ListBlock* b, Type type);
bool EqualMaps(const ListBlock* a, const ListBlock* b, Type type);
uint64_t HashList(const ListBlock* block, Type type, uint64_t seed);
uint64_t HashMap(const ListBlock* block, Type type, uint64_t seed);

// ---- Boxes.

void DestroyBox(BoxRep box, Type type);
BoxRep CopyBox(BoxRep box, Type type);
// Returns a box whose value has zero bits.
BoxRep MakeBox(Type type);
// Returns true if both are absent, or both are present and equal.
bool EqualBoxes(BoxRep a, BoxRep b, Type type);
uint64_t HashBox(BoxRep box, Type type, uint64_t seed);

// ---- Messages.

bool EqualMessages(const void* a, const void* b, const Message& message);
uint64_t HashMessage(const void* value, const Message& message);

}  // namespace kube::table

#endif  // APIMACHINERY_TABLE_OPS_H_
