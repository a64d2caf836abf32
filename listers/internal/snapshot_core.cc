#include "listers/internal/snapshot_core.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace kube::listers::internal {

AnyObject GetObject(const State& state, const ValueIndex::Context& context, const ObjectKey& key) {
  const AnyObject* const object = FindObject(state, context, context.hasher.OfKey(key), key);
  return object == nullptr ? nullptr : *object;
}

AnyObject GetObjectByKey(const State& state, const ValueIndex::Context& context,
                         absl::string_view key) {
  const std::optional<ObjectKey> parts = SplitKey(key);
  return parts.has_value() ? GetObject(state, context, *parts) : nullptr;
}

std::vector<std::string> KeysOf(const AnyList& list, const ObjectTraits& traits) {
  std::vector<std::string> keys;
  keys.reserve(list.size());
  for (AnyList::Cursor cursor(list); !cursor.done(); cursor.Next()) {
    keys.push_back(JoinKey(traits.key(cursor.value().get())));
  }
  return keys;
}

absl::StatusOr<AnyList> ListByIndex(const Ref<const State>& state,
                                    const ValueIndex::Context& context, absl::string_view index,
                                    absl::string_view value) {
  const State::Index* const found = state->FindIndex(index);
  if (found == nullptr) return NoSuchIndex(index);
  return AnyList(state, found->values.Find(context.hasher, value));
}

absl::StatusOr<std::vector<AnyObject>> ListByIndexOf(const State& state,
                                                     const ValueIndex::Context& context,
                                                     absl::string_view index, const void* object) {
  const State::Index* const found = state.FindIndex(index);
  if (found == nullptr) return NoSuchIndex(index);
  absl::StatusOr<std::vector<std::string>> values = found->indexer->values_of(object);
  if (!values.ok()) return values.status();
  std::vector<AnyObject> objects;
  for (const std::string& value : *values) {
    const Posting* const posting = found->values.Find(context.hasher, value);
    if (posting == nullptr) continue;
    for (ObjectTree::Cursor o(posting->members); !o.done(); o.Next()) objects.push_back(o.value());
  }
  if (values->size() > 1) {
    // An object may have several of the values. Equal addresses mean equal objects.
    std::sort(objects.begin(), objects.end());
    objects.erase(std::unique(objects.begin(), objects.end()), objects.end());
  }
  return objects;
}

std::vector<std::string> SortedKeysOf(const AnyList& list, const ObjectTraits& traits) {
  std::vector<std::string> keys = KeysOf(list, traits);
  std::sort(keys.begin(), keys.end());
  return keys;
}

std::vector<std::string> ValuesOfPostings(const ValueIndex& index) {
  std::vector<std::string> values;
  values.reserve(index.postings().size());
  for (PostingTree::Cursor p(index.postings()); !p.done(); p.Next()) {
    values.push_back(p.value()->value);
  }
  std::sort(values.begin(), values.end());
  return values;
}

std::vector<std::string> ValuesOfIndex(const State& state, absl::string_view index) {
  const State::Index* const found = state.FindIndex(index);
  return found == nullptr ? std::vector<std::string>() : ValuesOfPostings(found->values);
}

std::vector<std::string> NamesOfIndexes(const State& state) {
  std::vector<std::string> names;
  for (const State::Index& index : state.indexes) names.push_back(index.indexer->name);
  return names;
}

MemoryUsage MeasureMemory(const Ref<const State>& state, const ObjectTraits& traits) {
  MemoryUsage usage = {.objects = state->size,
                       .structure_bytes = sizeof(State) + state->objects.MemoryBytes()};
  for (const State::Index& index : state->indexes) {
    usage.structure_bytes += sizeof(index) + index.values.MemoryBytes();
  }
  const AnyList all(state);
  for (AnyList::Cursor cursor(all); !cursor.done(); cursor.Next()) {
    traits.add_size(cursor.value().get(), usage.object_bytes, usage.shared_bytes);
  }
  return usage;
}

}  // namespace kube::listers::internal
