#ifndef LISTERS_INTERNAL_SNAPSHOT_CORE_H_
#define LISTERS_INTERNAL_SNAPSHOT_CORE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "listers/internal/object_cursor.h"
#include "listers/internal/ref.h"
#include "listers/internal/store_core.h"
#include "listers/memory_usage.h"

// The part of Snapshot that does not depend on the object type. Thread-safe, since states are
// immutable.
namespace kube::listers::internal {

// Return null if there is no such object.
AnyObject GetObject(const State& state, const ValueIndex::Context& context, const ObjectKey& key);
AnyObject GetObjectByKey(const State& state, const ValueIndex::Context& context,
                         absl::string_view key);

std::vector<std::string> KeysOf(const AnyList& list, const ObjectTraits& traits);

// Return NOT_FOUND if there is no such index.
absl::StatusOr<AnyList> ListByIndex(const Ref<const State>& state,
                                    const ValueIndex::Context& context, absl::string_view index,
                                    absl::string_view value);
absl::StatusOr<std::vector<AnyObject>> ListByIndexOf(const State& state,
                                                     const ValueIndex::Context& context,
                                                     absl::string_view index, const void* object);
// The results are sorted.
std::vector<std::string> SortedKeysOf(const AnyList& list, const ObjectTraits& traits);
std::vector<std::string> ValuesOfPostings(const ValueIndex& index);
std::vector<std::string> ValuesOfIndex(const State& state, absl::string_view index);
std::vector<std::string> NamesOfIndexes(const State& state);

MemoryUsage MeasureMemory(const Ref<const State>& state, const ObjectTraits& traits);

}  // namespace kube::listers::internal

#endif  // LISTERS_INTERNAL_SNAPSHOT_CORE_H_
