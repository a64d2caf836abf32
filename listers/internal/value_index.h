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

// The functions of an object type that a store needs.
struct ObjectTraits : meta::ObjectAccess {
  // Adds up sizes as DeepSize does.
  void (*add_size)(const void* object, size_t& own_bytes, size_t& shared_bytes) = nullptr;
};

// Hashes with a secret seed, so that those who choose names of objects cannot cause collisions.
class Hasher {
 public:
  // `mask` lets tests cause collisions.
  explicit Hasher(uint64_t seed, uint64_t mask = ~uint64_t{0}) : seed_(seed), mask_(mask) {}

  uint64_t OfValue(absl::string_view value) const;
  uint64_t OfKey(const ObjectKey& key) const;

 private:
  uint64_t seed_;
  uint64_t mask_;
};

// An index: a tree of values, and for each value a tree of its objects by the hash of their keys.
// Colliding hashes are resolved by using the next free number. A store's main table is a ValueIndex
// too, with the namespace as value.
//
// A copy costs one pointer. Thread-compatible.
class ValueIndex {
 public:
  using Object = std::shared_ptr<const void>;
  struct Context {
    Hasher hasher;
    const ObjectTraits* traits;  // must outlive the index
  };
  struct Entry {
    absl::string_view value;
    uint64_t hash;  // hash of the object's key
    Object object;
  };

  // Builds an index of minimal size. If two entries have the same value and key, the later one
  // counts.
  static ValueIndex Build(const Context& context, std::vector<Entry> entries);

  // Returns null if no object has this value. The pointer is valid until the index changes.
  const Posting* Find(const Hasher& hasher, absl::string_view value) const;
  // Returns the object with this key, or null. `hash` is the hash of the key.
  static const Object* FindMember(const Context& context, const Posting& posting, uint64_t hash,
                                  const ObjectKey& key);
  // Does the same for a posting whose objects are all in the key's namespace; reads less memory.
  static const Object* FindByName(const Context& context, const Posting& posting, uint64_t hash,
                                  absl::string_view name);

  // Return the previous object, or null. `old` is the present object with the same key, under any
  // value, or null.
  Object Set(const Context& context, absl::string_view value, uint64_t hash, Object object,
             const void* old);
  Object Remove(const Context& context, absl::string_view value, uint64_t hash,
                const ObjectKey& key);

  // Returns the postings in the order of the hashes of their values.
  const PostingTree& postings() const { return postings_; }

  size_t MemoryBytes() const;

 private:
  // Returns the posting of `value`, made if necessary and not shared with other indexes.
  Posting& MutablePosting(const Hasher& hasher, absl::string_view value);

  PostingTree postings_;
};

}  // namespace kube::listers::internal

#endif  // LISTERS_INTERNAL_VALUE_INDEX_H_
