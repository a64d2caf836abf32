#include "listers/internal/store_core.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace kube::listers::internal {
namespace {

// The values of an object, each once; none where there is no object, or the function fails.
std::vector<std::string> ValuesOf(const AnyIndexer& indexer, const void* object,
                                  const ObjectKey& key, absl::Status& status) {
  if (object == nullptr) return {};
  absl::StatusOr<std::vector<std::string>> values = indexer.values_of(object);
  if (!values.ok()) {
    status.Update(absl::FailedPreconditionError(absl::StrCat("index object \"", JoinKey(key),
                                                             "\" by \"", indexer.name,
                                                             "\": ", values.status().message())));
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
  if (!absl::StrContains(key.name, '/') && !absl::StrContains(key.namespace_, '/')) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("make key of \"", key.namespace_, "\", \"", key.name, "\": it has a slash"));
}

std::optional<ObjectKey> SplitKey(absl::string_view key) {
  const size_t slash = key.find('/');
  if (slash == absl::string_view::npos) return ObjectKey{.namespace_ = {}, .name = key};
  // JoinKey writes no empty namespace.
  if (slash == 0 || key.find('/', slash + 1) != absl::string_view::npos) return std::nullopt;
  return ObjectKey{.namespace_ = key.substr(0, slash), .name = key.substr(slash + 1)};
}

std::string JoinKey(const ObjectKey& key) {
  if (key.namespace_.empty()) return std::string(key.name);
  return absl::StrCat(key.namespace_, "/", key.name);
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

StoreCore::StoreCore(const ObjectTraits& traits, const Hasher& hasher)
    : traits_(traits), hasher_(hasher), state_(Ref<State>::Make()), current_(state_.get()) {}

Ref<State> StoreCore::state() const {
  base::MutexLock lock(mutex_);
  return state_;
}

Ref<State> StoreCore::Copy() const { return Ref<State>::Make(*current_); }

void StoreCore::Publish(Ref<State> state) {
  current_ = state.get();
  base::MutexLock lock(mutex_);
  std::swap(state_, state);
  // The lock is released before the argument, the state of before, is destroyed.
}

ObjectKey StoreCore::KeyOf(const AnyChange& change) const {
  if (change.object != nullptr) return traits_.key(change.object.get());
  return {.namespace_ = change.namespace_, .name = change.name};
}

StoreCore::Prepared StoreCore::Prepare(const State& state, AnyChange change) const {
  Prepared prepared;
  prepared.change = std::move(change);
  const AnyChange& c = prepared.change;
  const ObjectKey key = KeyOf(c);
  prepared.hash = hasher_.OfKey(key);
  const Posting* const posting = state.objects.Find(hasher_, key.namespace_);
  if (posting != nullptr) {
    const AnyObject* const old =
        ValueIndex::FindByName(context(), *posting, prepared.hash, key.name);
    if (old != nullptr) prepared.old = *old;
  }
  for (const State::Index& index : state.indexes) {
    Prepared::Values& values = prepared.values.emplace_back();
    absl::Status ignored;  // it was reported when the object came
    std::vector<std::string> before = ValuesOf(*index.indexer, prepared.old.get(), key, ignored);
    values.has = ValuesOf(*index.indexer, c.object.get(), key, prepared.status);
    std::set_difference(before.begin(), before.end(), values.has.begin(), values.has.end(),
                        std::back_inserter(values.leaves));
  }
  return prepared;
}

void StoreCore::Carry(State& state, Prepared& prepared, std::vector<AnyObject>& garbage) const {
  const AnyObject& object = prepared.change.object;
  const ObjectKey key = KeyOf(prepared.change);
  for (size_t i = 0; i < prepared.values.size(); ++i) {
    ValueIndex& index = state.indexes[i].values;
    for (const std::string& value : prepared.values[i].leaves) {
      garbage.push_back(index.Remove(context(), value, prepared.hash, key));
    }
    for (const std::string& value : prepared.values[i].has) {
      garbage.push_back(index.Set(context(), value, prepared.hash, object));
    }
  }
  if (object != nullptr) {
    garbage.push_back(state.objects.Set(context(), key.namespace_, prepared.hash, object));
    if (prepared.old == nullptr) ++state.size;
    state.resource_version = std::string(traits_.resource_version(object.get()));
  } else {
    if (prepared.old != nullptr) {
      garbage.push_back(state.objects.Remove(context(), key.namespace_, prepared.hash, key));
      --state.size;
    }
    if (prepared.change.resource_version.has_value()) {
      state.resource_version = *prepared.change.resource_version;
    }
  }
}

absl::Status StoreCore::ApplyOne(AnyChange change, std::vector<AnyObject>& garbage) {
  Prepared prepared = Prepare(*current_, std::move(change));
  garbage.push_back(prepared.old);  // the first: Apply takes it from there
  {
    base::MutexLock lock(mutex_);
    // Readers take references under this lock only: nobody else looks at this state now.
    if (state_->IsUnique()) {
      Carry(*state_, prepared, garbage);
      return prepared.status;
    }
  }
  Ref<State> state = Copy();
  Carry(*state, prepared, garbage);
  Publish(std::move(state));
  return prepared.status;
}

absl::Status StoreCore::Apply(std::vector<AnyChange> changes, std::vector<AnyObject>* old) {
  if (changes.empty()) return absl::OkStatus();
  for (const AnyChange& change : changes) {
    if (change.object == nullptr) continue;
    if (absl::Status status = CheckKey(traits_.key(change.object.get())); !status.ok()) {
      return status;
    }
  }
  absl::Status status;
  std::vector<AnyObject> garbage;  // destroyed last, without a lock
  base::MutexLock writer_lock(writer_mutex_);
  if (changes.size() == 1) {
    status = ApplyOne(std::move(changes.front()), garbage);
    if (old != nullptr) old->push_back(garbage.front());
    return status;
  }
  Ref<State> state = Copy();
  for (AnyChange& change : changes) {
    Prepared prepared = Prepare(*state, std::move(change));
    Carry(*state, prepared, garbage);
    status.Update(prepared.status);
    if (old != nullptr) old->push_back(std::move(prepared.old));
  }
  Publish(std::move(state));
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
    entries.push_back({key.namespace_, hasher_.OfKey(key), std::move(object)});
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
  std::deque<std::string> texts;  // what the entries refer to
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

void StoreCore::SetResourceVersion(std::string resource_version) {
  base::MutexLock writer_lock(writer_mutex_);
  Ref<State> state = Copy();
  state->resource_version = std::move(resource_version);
  Publish(std::move(state));
}

}  // namespace kube::listers::internal
