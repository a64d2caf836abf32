#ifndef APIMACHINERY_TABLE_OPS_H_
#define APIMACHINERY_TABLE_OPS_H_

// Copy, destroy, grow and compare, over types known at run time: what the members of List<T>,
// Map<T>, Box<T> and of generated structs call. Thread-safe as reading and writing an int is.

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"

namespace kube::table {

// ---- values: `value` points to a T

// Frees what the value owns. Its bits stay.
void DestroyValue(char* value, Type type);
// Makes `to`, which holds the bits of `from`, own copies of what `from` points to: memcpy first.
void CopyValue(char* to, const char* from, Type type);
// Semantic: null and empty are equal, quantities and times compare by what they mean, pointers
// that are not there differ from those that are. (equality.Semantic.DeepEqual)
bool EqualValues(const char* a, const char* b, Type type);
// Equal values have equal hashes, within one process.
uint64_t HashValue(const char* value, Type type, uint64_t seed);

// ---- blocks of lists and maps; all may be null

void DestroyList(ListBlock* block, Type type);
ListBlock* CopyList(const ListBlock* block, Type type);
// An owned block with room for `capacity` elements, with the elements of `block`, which is gone: it
// was owned, or stays what it was and its elements are copied. `capacity` is not less than its
// size.
ListBlock* GrowList(ListBlock* block, size_t capacity, Type type);
// Room for one more element at the end, already counted: the caller fills it. May move the block.
char* AppendToList(ListBlock*& block, Type type);
// `count` elements of zero bits before the one at `index`; returns the first. May move the block.
char* InsertInList(ListBlock*& block, size_t index, size_t count, Type type);
void EraseFromList(ListBlock*& block, size_t index, size_t count, Type type);

// The bytes of one entry of a Map whose values are of `type`.
constexpr size_t EntrySize(Type type) { return sizeof(StringRep) + AlignUp(type.size); }

void DestroyMap(ListBlock* block, Type type);
ListBlock* CopyMap(const ListBlock* block, Type type);
ListBlock* GrowMap(ListBlock* block, size_t capacity, Type type);
// The value at `key`, or null.
const char* FindInMap(const ListBlock* block, Type type, absl::string_view key);
// The value at `key`, inserted with zero bits where it was not there. Moves the block.
char* FindOrInsertInMap(ListBlock*& block, Type type, absl::string_view key);
// Whether it was there.
bool EraseFromMap(ListBlock*& block, Type type, absl::string_view key);

bool EqualLists(const ListBlock* a, const ListBlock* b, Type type);
bool EqualMaps(const ListBlock* a, const ListBlock* b, Type type);
uint64_t HashList(const ListBlock* block, Type type, uint64_t seed);
uint64_t HashMap(const ListBlock* block, Type type, uint64_t seed);

// ---- boxes

void DestroyBox(BoxRep box, Type type);
BoxRep CopyBox(BoxRep box, Type type);
// A box of a value of zero bits.
BoxRep MakeBox(Type type);
// Both absent, or both there and equal.
bool EqualBoxes(BoxRep a, BoxRep b, Type type);
uint64_t HashBox(BoxRep box, Type type, uint64_t seed);

// ---- messages

bool EqualMessages(const void* a, const void* b, const Message& message);
uint64_t HashMessage(const void* value, const Message& message);

}  // namespace kube::table

#endif  // APIMACHINERY_TABLE_OPS_H_
