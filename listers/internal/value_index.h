#ifndef LISTERS_INTERNAL_VALUE_INDEX_H_
#define LISTERS_INTERNAL_VALUE_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/meta/object_access.h"
#include "listers/internal/posting.h"

namespace kube::listers::internal {

using meta::ObjectKey;

// What the store has to know of a type.
struct ObjectTraits : meta::ObjectAccess {
  // What DeepSize says.
  void (*add_size)(const void* object, size_t& own_bytes, size_t& shared_bytes) = nullptr;
};

// Hashes by a seed that nobody outside knows: who may name objects cannot make them collide.
class Hasher {
 public:
  // Tests have a mask, and collisions.
  explicit Hasher(uint64_t seed, uint64_t mask = ~uint64_t{0}) : seed_(seed), mask_(mask) {}

  uint64_t OfValue(absl::string_view value) const;
  uint64_t OfKey(const ObjectKey& key) const;

 private:
  uint64_t seed_;
  uint64_t mask_;
};

// Objects by the values of an index: a tree of values, and for each a tree of its objects, by the
// hash of their keys. Hashes that are taken make room: what collides is under the next number.
// A store's objects are such a thing themselves, by namespace.
//
// Copying takes a pointer. Thread-compatible.
class ValueIndex {
 public:
  using Object = std::shared_ptr<const void>;
  struct Context {
    Hasher hasher;
    const ObjectTraits* traits;  // lives for ever
  };
  struct Entry {
    absl::string_view value;
    uint64_t hash;  // of the object's key
    Object object;
  };

  // Of all entries at once, as small as can be. Of two with one value and one key the later counts.
  static ValueIndex Build(const Context& context, std::vector<Entry> entries);

  // Null: nothing has this value. Good until the index changes.
  const Posting* Find(const Hasher& hasher, absl::string_view value) const;
  // Null: there is none. `hash` is that of the key.
  static const Object* FindMember(const Context& context, const Posting& posting, uint64_t hash,
                                  const ObjectKey& key);
  // The same of a posting whose objects are all of the key's namespace: looks at less memory.
  static const Object* FindByName(const Context& context, const Posting& posting, uint64_t hash,
                                  absl::string_view name);

  // Return what was there, or null. `old` is what there is, of any value, with the object's key, if
  // there is one.
  Object Set(const Context& context, absl::string_view value, uint64_t hash, Object object,
             const void* old);
  Object Remove(const Context& context, absl::string_view value, uint64_t hash,
                const ObjectKey& key);

  // By value, in the order of their hashes.
  const PostingTree& postings() const { return postings_; }

  size_t MemoryBytes() const;

 private:
  // This index's own posting of `value`, to change.
  Posting& MutablePosting(const Hasher& hasher, absl::string_view value);

  PostingTree postings_;
};

}  // namespace kube::listers::internal

#endif  // LISTERS_INTERNAL_VALUE_INDEX_H_
