#include "listers/internal/store_core.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace kube::listers::internal {
namespace {

// The most changes that others wait for, less than half a microsecond for each; and that the table
// has room for.
constexpr size_t kMostInPlace = KeyTable::kMostUncollected;

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
  if (!absl::StrContains(key.name, '/') && !absl::StrContains(key.namespace_name, '/')) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("make key of \"", key.namespace_name, "\", \"", key.name, "\": it has a slash"));
}

std::optional<ObjectKey> SplitKey(absl::string_view key) {
  const size_t slash = key.find('/');
  if (slash == absl::string_view::npos) return ObjectKey{.namespace_name = {}, .name = key};
  // JoinKey writes no empty namespace.
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
    : traits_(traits),
      hasher_(hasher),
      state_(Ref<State>::Make()),
      current_(state_.get()),
      table_(std::make_unique<KeyTable>(traits, sections_, 0)) {
  readers_table_.store(table_.get(), std::memory_order_release);
}

Ref<State> StoreCore::state() const {
  base::MutexLock lock(mutex_);
  return state_;
}

AnyObject StoreCore::Get(const ObjectKey& key) const {
  const uint64_t hash = hasher_.OfKey(key);
  {
    ReadSections::Section section(sections_);
    const uint64_t version = version_.load(std::memory_order_seq_cst);
    if (version % 2 == 0) {
      AnyObject object = readers_table_.load(std::memory_order_seq_cst)->Get(hash, key);
      if (version_.load(std::memory_order_seq_cst) == version) return object;
    }
  }
  const Ref<State> now = state();
  const AnyObject* const object = FindObject(*now, context(), hash, key);
  return object == nullptr ? nullptr : *object;
}

Ref<State> StoreCore::Copy() const { return Ref<State>::Make(*current_); }

void StoreCore::Publish(Ref<State> state, std::unique_ptr<KeyTable> table) {
  current_ = state.get();
  {
    base::MutexLock lock(mutex_);
    std::swap(state_, state);
    if (table != nullptr) {
      readers_table_.store(table.get(), std::memory_order_seq_cst);
      std::swap(table_, table);
    }
  }
  // The arguments are now what was before. Some get may still look at the table.
  if (table != nullptr) sections_.WaitForReaders();
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
  prepared.place = table_->Find(prepared.hash, prepared.key);
  if (prepared.place.object != nullptr) prepared.old = *prepared.place.object;
  for (const State::Index& index : state.indexes) {
    Prepared::Values& values = prepared.values.emplace_back();
    absl::Status ignored;  // it was reported when the object came
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

void StoreCore::ChangeTable(const AnyChange& change, const Prepared& prepared) {
  if (!change.is_removal) {
    table_->Set(prepared.place, prepared.hash, change.object);
  } else if (prepared.old != nullptr) {
    table_->Remove(prepared.place);
  }
}

// Who gets the new object and then lists finds it there, and the other way round: table and state
// change under one lock.
absl::Status StoreCore::ApplyOne(AnyChange& change, std::vector<AnyObject>& garbage) {
  Prepared prepared = Prepare(*current_, change);
  bool is_done = false;
  {
    base::MutexLock lock(mutex_);
    // Readers take references under this lock only: nobody else looks at this state now.
    if (state_->IsUnique()) {
      ChangeState(*state_, change, prepared, garbage);
      ChangeTable(change, prepared);
      is_done = true;
    }
  }
  if (!is_done) {
    Ref<State> state = Copy();
    ChangeState(*state, change, prepared, garbage);
    current_ = state.get();
    base::MutexLock lock(mutex_);
    std::swap(state_, state);
    ChangeTable(change, prepared);
    // The lock is released before the state of before is destroyed.
  }
  table_->Collect(garbage);
  change.old_object = std::move(prepared.old);
  return prepared.status;
}

std::optional<absl::Status> StoreCore::ApplyInPlace(size_t count, Changes change,
                                                    std::vector<AnyObject>& garbage) {
  if (count > kMostInPlace) return std::nullopt;
  // All at once, before the first change: so none may change what was found for another. Updates
  // of different objects leave the places of the table where they are.
  std::vector<Prepared> prepared;
  prepared.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    if (change(i).is_removal) return std::nullopt;
    Prepared next = Prepare(*current_, change(i));
    const bool is_another = std::none_of(prepared.begin(), prepared.end(),
                                         [&](const Prepared& p) { return p.hash == next.hash; });
    if (next.old == nullptr || !is_another) return std::nullopt;
    prepared.push_back(std::move(next));
  }
  {
    base::MutexLock lock(mutex_);
    if (!state_->IsUnique()) return std::nullopt;
    version_.fetch_add(1, std::memory_order_seq_cst);
    for (size_t i = 0; i < count; ++i) {
      ChangeState(*state_, change(i), prepared[i], garbage);
      ChangeTable(change(i), prepared[i]);
    }
    version_.fetch_add(1, std::memory_order_seq_cst);
  }
  table_->Collect(garbage);
  absl::Status status;
  for (size_t i = 0; i < count; ++i) {
    status.Update(prepared[i].status);
    change(i).old_object = std::move(prepared[i].old);
  }
  return status;
}

// Gets see the state of before until the new one is in place.
absl::Status StoreCore::ApplyAll(size_t count, Changes change, std::vector<AnyObject>& garbage) {
  absl::Status status;
  Ref<State> state = Copy();
  version_.fetch_add(1, std::memory_order_seq_cst);
  for (size_t i = 0; i < count; ++i) {
    Prepared prepared = Prepare(*state, change(i));
    ChangeState(*state, change(i), prepared, garbage);
    ChangeTable(change(i), prepared);
    table_->Collect(garbage);
    status.Update(prepared.status);
    change(i).old_object = std::move(prepared.old);
  }
  Publish(std::move(state));
  version_.fetch_add(1, std::memory_order_seq_cst);
  return status;
}

absl::Status StoreCore::Apply(AnyChange change) {
  return Apply(1, [&](size_t) -> AnyChange& { return change; });
}

absl::Status StoreCore::Apply(size_t count, Changes change) {
  if (count == 0) return absl::OkStatus();
  for (size_t i = 0; i < count; ++i) {
    if (absl::Status status = CheckKeyOf(change(i)); !status.ok()) return status;
  }
  std::vector<AnyObject> garbage;  // destroyed last, without a lock
  base::MutexLock lock(writer_mutex_);
  if (count == 1) return ApplyOne(change(0), garbage);
  std::optional<absl::Status> status = ApplyInPlace(count, change, garbage);
  return status.has_value() ? *std::move(status) : ApplyAll(count, change, garbage);
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
  auto table = std::make_unique<KeyTable>(traits_, sections_, objects.size());
  std::vector<ValueIndex::Entry> entries;
  entries.reserve(objects.size());
  for (AnyObject& object : objects) {
    const ObjectKey key = traits_.key(object.get());
    const uint64_t hash = hasher_.OfKey(key);
    table->Set(table->Find(hash, key), hash, object);
    entries.push_back({key.namespace_name, hash, std::move(object)});
  }
  state->objects = ValueIndex::Build(context(), std::move(entries));
  for (PostingTree::Cursor p(state->objects.postings()); !p.done(); p.Next()) {
    state->size += p.value()->members.size();
  }
  for (State::Index& index : state->indexes) {
    index.values = BuildIndex(*state, *index.indexer, status);
  }
  Publish(std::move(state), std::move(table));
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

size_t StoreCore::TableBytes() const {
  base::MutexLock lock(writer_mutex_);
  return sizeof(sections_) + table_->MemoryBytes();
}

}  // namespace kube::listers::internal
