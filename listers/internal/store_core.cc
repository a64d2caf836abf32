// The store has one current State: a persistent tree of objects, one more per index, and the
// resource version. Readers take a reference to it under `mutex_`. That is a snapshot: while it is
// held, nobody changes that State. A Get takes no reference; it finds its object under `mutex_`,
// which is cheaper for a single object.
//
// A write holds `writer_mutex_` from its start to its end. It first prepares its changes without
// `mutex_`: it finds the old objects and calls the index functions. Then one of two things happens:
//
// * In place: under `mutex_`, if no snapshot of the State exists, the changes are made in it. No
//   snapshot can appear meanwhile, because readers need `mutex_`. Readers wait, so this is done only
//   for up to kMostInPlace changes. It also needs changes of different objects, because all of them
//   are prepared against the same State.
// * Aside: the changes are made in a copy of the State, without `mutex_`, which then replaces the
//   State. The copy shares all tree nodes; a change copies the nodes on its path that other trees
//   share. Replace builds a new State from nothing.
//
// Either way readers see all changes of a write at once. Objects that are no longer referenced are
// collected as garbage, and destroyed after `mutex_` is released.

#include "listers/internal/store_core.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace kube::listers::internal {
namespace {

// Maximum number of changes for which readers wait. Each takes less than half a microsecond.
constexpr size_t kMostInPlace = 128;

// Returns the values of an object in an index, sorted and without duplicates. Returns none if
// `object` is null. If the index function fails, returns none and sets `status`.
std::vector<std::string> ValuesOf(const AnyIndexer& indexer, const void* object,
                                  const ObjectKey& key, absl::Status& status) {
  if (object == nullptr) return {};
  absl::StatusOr<std::vector<std::string>> values = indexer.values_of(object);
  if (!values.ok()) {
    status.Update(absl::FailedPreconditionError(
        absl::StrCat("unable to calculate an index entry for key \"", JoinKey(key),
                     "\" on index \"", indexer.name, "\": ", values.status().message())));
    return {};
  }
  if (values->size() > 1) {
    std::sort(values->begin(), values->end());
    values->erase(std::unique(values->begin(), values->end()), values->end());
  }
  return *std::move(values);
}

}  // namespace

absl::Status CheckKey(const ObjectKey& key) {
  if (!absl::StrContains(key.name, '/') && !absl::StrContains(key.namespace_name, '/')) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat("make key of \"", key.namespace_name, "\", \"",
                                                 key.name, "\": must not contain '/'"));
}

std::optional<ObjectKey> SplitKey(absl::string_view key) {
  const size_t slash = key.find('/');
  if (slash == absl::string_view::npos) return ObjectKey{.namespace_name = {}, .name = key};
  // JoinKey omits an empty namespace, so no key begins with a slash.
  if (slash == 0 || key.find('/', slash + 1) != absl::string_view::npos) return std::nullopt;
  return ObjectKey{.namespace_name = key.substr(0, slash), .name = key.substr(slash + 1)};
}

std::string JoinKey(const ObjectKey& key) {
  if (key.namespace_name.empty()) return std::string(key.name);
  return absl::StrCat(key.namespace_name, "/", key.name);
}

absl::Status NoSuchIndex(absl::string_view name) {
  return absl::NotFoundError(absl::StrCat("Index with name ", name, " does not exist"));
}

const State::Index* State::FindIndex(absl::string_view name) const {
  for (const Index& index : indexes) {
    if (index.indexer->name == name) return &index;
  }
  return nullptr;
}

const AnyObject* FindObject(const State& state, const ValueIndex::Context& context, uint64_t hash,
                            const ObjectKey& key) {
  const Posting* const posting = state.objects.Find(context.hasher, key.namespace_name);
  return posting == nullptr ? nullptr : ValueIndex::FindByName(context, *posting, hash, key.name);
}

StoreCore::StoreCore(const ObjectTraits& traits, const Hasher& hasher)
    : traits_(traits), hasher_(hasher), state_(Ref<State>::Make()), current_(state_.get()) {}

Ref<State> StoreCore::state() const {
  base::MutexLock lock(mutex_);
  return state_;
}

AnyObject StoreCore::Get(const ObjectKey& key) const {
  const uint64_t hash = hasher_.OfKey(key);
  base::MutexLock lock(mutex_);
  const AnyObject* const object = FindObject(*state_, context(), hash, key);
  return object == nullptr ? nullptr : *object;
}

Ref<State> StoreCore::Copy() const { return Ref<State>::Make(*current_); }

void StoreCore::Publish(Ref<State> state) {
  current_ = state.get();
  base::MutexLock lock(mutex_);
  std::swap(state_, state);
  // `state` is now the previous State. It is destroyed after `lock` is released.
}

ObjectKey StoreCore::KeyOf(const AnyChange& change) const {
  return traits_.key(change.object.get());
}

absl::Status StoreCore::CheckKeyOf(const AnyChange& change) const {
  return change.is_removal ? absl::OkStatus() : CheckKey(KeyOf(change));
}

StoreCore::Prepared StoreCore::Prepare(const State& state, const AnyChange& change) const {
  Prepared prepared;
  const void* const object = change.is_removal ? nullptr : change.object.get();
  prepared.key = KeyOf(change);
  prepared.hash = hasher_.OfKey(prepared.key);
  const AnyObject* const old = FindObject(state, context(), prepared.hash, prepared.key);
  if (old != nullptr) prepared.old = *old;
  for (const State::Index& index : state.indexes) {
    Prepared::Values& values = prepared.values.emplace_back();
    absl::Status ignored;  // was reported when the old object was stored
    const std::vector<std::string> before =
        ValuesOf(*index.indexer, prepared.old.get(), prepared.key, ignored);
    values.has = ValuesOf(*index.indexer, object, prepared.key, prepared.status);
    std::set_difference(before.begin(), before.end(), values.has.begin(), values.has.end(),
                        std::back_inserter(values.leaves));
  }
  return prepared;
}

void StoreCore::ChangeState(State& state, const AnyChange& change, const Prepared& prepared,
                            std::vector<AnyObject>& garbage) const {
  const ObjectKey& key = prepared.key;
  for (size_t i = 0; i < prepared.values.size(); ++i) {
    ValueIndex& index = state.indexes[i].values;
    for (const std::string& value : prepared.values[i].leaves) {
      garbage.push_back(index.Remove(context(), value, prepared.hash, key));
    }
    for (const std::string& value : prepared.values[i].has) {
      garbage.push_back(
          index.Set(context(), value, prepared.hash, change.object, prepared.old.get()));
    }
  }
  if (!change.is_removal) {
    garbage.push_back(state.objects.Set(context(), key.namespace_name, prepared.hash, change.object,
                                        prepared.old.get()));
    if (prepared.old == nullptr) ++state.size;
  } else if (prepared.old != nullptr) {
    garbage.push_back(state.objects.Remove(context(), key.namespace_name, prepared.hash, key));
    --state.size;
  }
  if (change.keeps_resource_version) return;
  const absl::string_view version = traits_.resource_version(change.object.get());
  state.resource_version.assign(version.data(), version.size());
}

std::vector<StoreCore::Prepared> StoreCore::PrepareAll(size_t count, Changes change) const {
  if (count > kMostInPlace) return {};
  std::vector<Prepared> prepared;
  prepared.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    Prepared next = Prepare(*current_, change(i));
    for (const Prepared& earlier : prepared) {
      if (earlier.hash == next.hash) return {};
    }
    prepared.push_back(std::move(next));
  }
  return prepared;
}

bool StoreCore::ChangeInPlace(Changes change, absl::Span<const Prepared> prepared,
                              std::vector<AnyObject>& garbage) {
  base::MutexLock lock(mutex_);
  // References are taken only under this lock, so nobody else reads this State now.
  if (!state_->IsUnique()) return false;
  for (size_t i = 0; i < prepared.size(); ++i) {
    ChangeState(*state_, change(i), prepared[i], garbage);
  }
  return true;
}

absl::Status StoreCore::Apply(AnyChange change) {
  return Apply(1, [&](size_t) -> AnyChange& { return change; });
}

absl::Status StoreCore::Apply(size_t count, Changes change) {
  if (count == 0) return absl::OkStatus();
  for (size_t i = 0; i < count; ++i) {
    if (absl::Status status = CheckKeyOf(change(i)); !status.ok()) return status;
  }
  std::vector<AnyObject> garbage;  // destroyed last, after both locks are released
  base::MutexLock lock(writer_mutex_);
  std::vector<Prepared> prepared = PrepareAll(count, change);
  if (prepared.empty() || !ChangeInPlace(change, prepared, garbage)) {
    Ref<State> state = Copy();
    for (size_t i = 0; i < count; ++i) {
      if (i == prepared.size()) prepared.push_back(Prepare(*state, change(i)));
      ChangeState(*state, change(i), prepared[i], garbage);
    }
    Publish(std::move(state));
  }
  absl::Status status;
  for (size_t i = 0; i < count; ++i) {
    status.Update(prepared[i].status);
    change(i).old_object = std::move(prepared[i].old);
  }
  return status;
}

absl::Status StoreCore::Replace(std::vector<AnyObject> objects, std::string resource_version) {
  for (const AnyObject& object : objects) {
    if (absl::Status status = CheckKey(traits_.key(object.get())); !status.ok()) return status;
  }
  absl::Status status;
  base::MutexLock writer_lock(writer_mutex_);
  auto state = Ref<State>::Make();
  state->resource_version = std::move(resource_version);
  state->indexes = current_->indexes;
  std::vector<ValueIndex::Entry> entries;
  entries.reserve(objects.size());
  for (AnyObject& object : objects) {
    const ObjectKey key = traits_.key(object.get());
    const uint64_t hash = hasher_.OfKey(key);
    entries.push_back({key.namespace_name, hash, std::move(object)});
  }
  state->objects = ValueIndex::Build(context(), std::move(entries));
  for (PostingTree::Cursor p(state->objects.postings()); !p.done(); p.Next()) {
    state->size += p.value()->members.size();
  }
  for (State::Index& index : state->indexes) {
    index.values = BuildIndex(*state, *index.indexer, status);
  }
  Publish(std::move(state));
  return status;
}

ValueIndex StoreCore::BuildIndex(const State& state, const AnyIndexer& indexer,
                                 absl::Status& status) const {
  std::deque<std::string> texts;  // the entries refer to these
  std::vector<ValueIndex::Entry> entries;
  for (PostingTree::Cursor p(state.objects.postings()); !p.done(); p.Next()) {
    for (ObjectTree::Cursor o(p.value()->members); !o.done(); o.Next()) {
      const ObjectKey key = traits_.key(o.value().get());
      for (std::string& value : ValuesOf(indexer, o.value().get(), key, status)) {
        entries.push_back({texts.emplace_back(std::move(value)), hasher_.OfKey(key), o.value()});
      }
    }
  }
  return ValueIndex::Build(context(), std::move(entries));
}

absl::Status StoreCore::AddIndexers(std::vector<AnyIndexer> indexers) {
  base::MutexLock writer_lock(writer_mutex_);
  std::vector<std::string> conflicts;
  for (const AnyIndexer& indexer : indexers) {
    if (current_->FindIndex(indexer.name) != nullptr) conflicts.push_back(indexer.name);
  }
  if (!conflicts.empty()) {
    std::sort(conflicts.begin(), conflicts.end());
    return absl::AlreadyExistsError(
        absl::StrCat("indexer conflict: ", absl::StrJoin(conflicts, ", ")));
  }
  absl::Status status;
  Ref<State> state = Copy();
  for (AnyIndexer& indexer : indexers) {
    auto shared = std::make_shared<const AnyIndexer>(std::move(indexer));
    ValueIndex values = BuildIndex(*state, *shared, status);
    state->indexes.push_back({std::move(shared), std::move(values)});
  }
  std::sort(state->indexes.begin(), state->indexes.end(),
            [](const State::Index& a, const State::Index& b) {
              return a.indexer->name < b.indexer->name;
            });
  Publish(std::move(state));
  return status;
}

void StoreCore::RemoveIndexer(absl::string_view name) {
  // Destroyed after the lock was released: the function may own anything.
  std::shared_ptr<const AnyIndexer> removed;
  base::MutexLock writer_lock(writer_mutex_);
  Ref<State> state = Copy();
  const auto it =
      std::find_if(state->indexes.begin(), state->indexes.end(),
                   [&](const State::Index& index) { return index.indexer->name == name; });
  if (it == state->indexes.end()) return;
  removed = it->indexer;
  state->indexes.erase(it);
  Publish(std::move(state));
}

void StoreCore::SetResourceVersion(std::string resource_version) {
  base::MutexLock writer_lock(writer_mutex_);
  Ref<State> state = Copy();
  state->resource_version = std::move(resource_version);
  Publish(std::move(state));
}

}  // namespace kube::listers::internal
