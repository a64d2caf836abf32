// Multi-version storage in memory. Each resource has its current objects in a map sorted by key,
// and a history: the changes of the last revisions, each with the object before and after it.
// Objects are immutable and shared, so a change costs two pointers.
//
// A list of the latest revision walks the map. A list of an older revision undoes the changes
// since: for each key that changed, the `before` of its first change after that revision replaces
// the current object (Undone), and the two sorted maps are walked as one (VisitMerged). The history
// therefore bounds how far back lists can go (`Resource::oldest`), as it does for watches.
//
// A write takes the lock, compares the object's revision, increments the counter and appends the
// change. Then it calls the callbacks without the lock: the watchers of the resource, whose list is
// copied on write, and callers of AtRevision whose revision has come. Objects of CreateLater own
// revisions before they exist. They are made by the first call that looks at their resource, with
// the same result as if they had been created when their revisions were reserved.

#include "apiserver/storage.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/string_view.h"
#include "apiserver/object.h"

namespace kube::apiserver {
namespace {

using Objects = std::map<std::string, ObjectPtr, std::less<>>;

// The `expected_revision` of Write that means that the key must not exist.
constexpr int64_t kAbsent = 0;

// Returns the first change after `revision`.
template <typename Changes>
auto FirstAfter(const Changes& changes, int64_t revision) {
  return std::upper_bound(changes.begin(), changes.end(), revision,
                          [](int64_t r, const ChangePtr& change) { return r < change->revision; });
}

// Returns the objects that were changed after `revision`, as they were at that revision; null if
// they did not exist.
template <typename Changes>
Objects Undone(const Changes& changes, int64_t revision) {
  Objects undone;
  for (auto it = FirstAfter(changes, revision); it != changes.end(); ++it) {
    undone.try_emplace((*it)->key, (*it)->before);
  }
  return undone;
}

// Visits the entries of two maps in the order of keys. If both have a key, only `over` counts, and
// a null there hides it.
template <typename Visit>
void VisitMerged(const Objects& under, const Objects& over, const ListQuery& query, Visit visit) {
  const absl::string_view first = std::max<absl::string_view>(query.from, query.prefix);
  auto a = under.lower_bound(base::ToStd(first));
  auto b = over.lower_bound(base::ToStd(first));
  while (true) {
    const bool has_a = a != under.end() && absl::StartsWith(a->first, query.prefix);
    const bool has_b = b != over.end() && absl::StartsWith(b->first, query.prefix);
    if (!has_a && !has_b) return;
    if (!has_b || (has_a && a->first < b->first)) {
      visit(*a++);
      continue;
    }
    if (has_a && a->first == b->first) ++a;
    if (b->second != nullptr) visit(*b);
    ++b;
  }
}

}  // namespace

Storage::Storage(StorageOptions options) : options_(options) {}

int64_t Storage::revision() const {
  base::MutexLock lock(mutex_);
  return revision_;
}

Storage::Resource& Storage::ResourceOf(absl::string_view name) {
  auto it = resources_.find(base::ToStd(name));
  if (it == resources_.end()) {
    it = resources_.emplace(std::string(name), Resource()).first;
    it->second.oldest = compacted_;
  }
  MakeLater(it->second);
  return it->second;
}

const Storage::Resource* Storage::FindResource(absl::string_view name) const {
  auto it = resources_.find(base::ToStd(name));
  if (it == resources_.end()) return nullptr;
  MakeLater(it->second);
  return &it->second;
}

void Storage::CreateLater(LaterObjects objects) {
  base::MutexLock lock(mutex_);
  const auto [it, added] = resources_.emplace(objects.resource, Resource());
  KUBE_CHECK(added) << "create objects later: \"" << objects.resource << "\" is in use";
  it->second.oldest = compacted_;
  it->second.first_later = revision_ + 1;
  revision_ += static_cast<int64_t>(objects.at_most);
  it->second.later = std::move(objects);
}

// The result is as if the objects had been created when their revisions were reserved: the resource
// has not changed since, because any use of it would have made them.
void Storage::MakeLater(Resource& resource) const {
  if (resource.later.make == nullptr) return;
  const LaterObjects later = std::exchange(resource.later, {});
  std::vector<std::pair<std::string, Object>> objects = later.make();
  KUBE_CHECK_LE(objects.size(), later.at_most) << "create objects of " << later.resource;
  int64_t revision = resource.first_later;
  for (auto& [key, object] : objects) {
    auto change = std::make_shared<Change>();
    change->revision = revision;
    change->after = std::make_shared<const StoredObject>(std::move(object), revision++);
    const bool added = resource.objects.emplace(key, change->after).second;
    KUBE_CHECK(added) << "create objects of " << later.resource << ": twice " << key;
    change->key = std::move(key);
    if (change->revision > resource.oldest) AddChange(resource, std::move(change));
  }
}

void Storage::AddChange(Resource& resource, ChangePtr change) const {
  resource.changes.push_back(std::move(change));
  while (resource.changes.size() > options_.max_changes) {
    resource.oldest = resource.changes.front()->revision;
    resource.changes.pop_front();
  }
}

absl::StatusOr<ObjectPtr> Storage::Create(absl::string_view resource, absl::string_view key,
                                          Object object) {
  return WriteAndNotify(resource, key, kAbsent, std::move(object), /*deletes=*/false);
}

absl::StatusOr<ObjectPtr> Storage::Update(absl::string_view resource, absl::string_view key,
                                          int64_t expected_revision, Object object) {
  return WriteAndNotify(resource, key, expected_revision, std::move(object), /*deletes=*/false);
}

absl::StatusOr<ObjectPtr> Storage::Delete(absl::string_view resource, absl::string_view key,
                                          int64_t expected_revision, Object last) {
  return WriteAndNotify(resource, key, expected_revision, std::move(last), /*deletes=*/true);
}

absl::StatusOr<ObjectPtr> Storage::WriteAndNotify(absl::string_view resource, absl::string_view key,
                                                  int64_t expected_revision, Object object,
                                                  bool deletes) {
  KUBE_ASSIGN_OR_RETURN(Written written,
                        Write(resource, key, expected_revision, std::move(object), deletes));
  Notify(written.watchers.get(), key);
  for (const Callback& reached : written.reached) reached();
  return std::move(written.object);
}

absl::StatusOr<Storage::Written> Storage::Write(absl::string_view resource, absl::string_view key,
                                                int64_t expected_revision, Object object,
                                                bool deletes) {
  base::MutexLock lock(mutex_);
  Resource& state = ResourceOf(resource);
  auto it = state.objects.find(base::ToStd(key));
  const bool exists = it != state.objects.end();
  if (expected_revision == kAbsent) {
    if (exists) return absl::AlreadyExistsError("object already exists");
  } else if (!exists) {
    return absl::NotFoundError("object does not exist");
  } else if (it->second->revision() != expected_revision) {
    return absl::AbortedError("object was modified");
  }

  auto change = std::make_shared<Change>();
  change->revision = ++revision_;
  change->key = std::string(key);
  change->before = exists ? it->second : nullptr;
  change->after = std::make_shared<const StoredObject>(std::move(object), revision_);
  change->deleted = deletes;
  if (deletes) {
    state.objects.erase(it);
  } else if (exists) {
    it->second = change->after;
  } else {
    state.objects.emplace(std::string(key), change->after);
  }
  Written written{.object = change->after, .watchers = state.watchers, .reached = {}};
  written.reached = Record(state, std::move(change));
  return written;
}

std::vector<Storage::Callback> Storage::Record(Resource& resource, ChangePtr change) {
  const int64_t revision = change->revision;
  AddChange(resource, std::move(change));
  std::vector<Callback> reached;
  while (!waiting_.empty() && waiting_.begin()->first <= revision) {
    if (auto watcher = waiting_.begin()->second.lock()) reached.push_back(watcher->changed);
    waiting_.erase(waiting_.begin());
  }
  return reached;
}

void Storage::Notify(const Watchers* watchers, absl::string_view key) {
  if (watchers == nullptr) return;
  for (const std::weak_ptr<const Watcher>& each : *watchers) {
    const std::shared_ptr<const Watcher> watcher = each.lock();
    if (watcher != nullptr && absl::StartsWith(key, watcher->prefix)) watcher->changed();
  }
}

ObjectPtr Storage::Get(absl::string_view resource, absl::string_view key) const {
  base::MutexLock lock(mutex_);
  const Resource* state = FindResource(resource);
  if (state == nullptr) return nullptr;
  auto it = state->objects.find(base::ToStd(key));
  return it == state->objects.end() ? nullptr : it->second;
}

absl::StatusOr<ListResult> Storage::List(absl::string_view resource, const ListQuery& query) const {
  base::MutexLock lock(mutex_);
  if (query.revision > revision_) {
    return absl::FailedPreconditionError("required revision is a future revision");
  }
  const int64_t revision = query.revision == 0 ? revision_ : query.revision;
  ListResult result{.items = {}, .revision = revision};
  if (revision < compacted_) return absl::OutOfRangeError("required revision has been compacted");
  const Resource* state = FindResource(resource);
  if (state == nullptr) return result;
  if (revision < state->oldest) {
    return absl::OutOfRangeError("required revision has been compacted");
  }

  const Objects undone = Undone(state->changes, revision);
  VisitMerged(state->objects, undone, query, [&](const Objects::value_type& entry) {
    if (query.limit != 0 && result.items.size() == query.limit) {
      ++result.remaining;
    } else {
      result.items.push_back({entry.first, entry.second});
    }
  });
  return result;
}

size_t Storage::Count(absl::string_view resource, absl::string_view prefix) const {
  base::MutexLock lock(mutex_);
  const Resource* state = FindResource(resource);
  if (state == nullptr) return 0;
  size_t count = 0;
  VisitMerged(state->objects, {}, {.prefix = std::string(prefix)},
              [&](const Objects::value_type&) { ++count; });
  return count;
}

absl::StatusOr<ChangesResult> Storage::ChangesAfter(absl::string_view resource, int64_t revision,
                                                    size_t limit) const {
  base::MutexLock lock(mutex_);
  if (revision < compacted_) return absl::OutOfRangeError("required revision has been compacted");
  ChangesResult result{.changes = {}, .revision = std::max(revision, revision_)};
  const Resource* state = FindResource(resource);
  if (state == nullptr) return result;
  if (revision < state->oldest) {
    return absl::OutOfRangeError("required revision has been compacted");
  }
  auto first = FirstAfter(state->changes, revision);
  const size_t left = static_cast<size_t>(state->changes.end() - first);
  if (left > limit) {
    result.changes.assign(first, first + static_cast<ptrdiff_t>(limit));
    result.revision = result.changes.empty() ? revision : result.changes.back()->revision;
  } else {
    result.changes.assign(first, state->changes.end());
  }
  return result;
}

int64_t Storage::OldestRevision(absl::string_view resource) const {
  base::MutexLock lock(mutex_);
  const Resource* state = FindResource(resource);
  return state == nullptr ? compacted_ : std::max(state->oldest, compacted_);
}

void Storage::Compact(int64_t revision) {
  base::MutexLock lock(mutex_);
  compacted_ = std::max(compacted_, std::min(revision, revision_));
  for (auto& [name, resource] : resources_) {
    resource.oldest = std::max(resource.oldest, compacted_);
    while (!resource.changes.empty() && resource.changes.front()->revision <= compacted_) {
      resource.changes.pop_front();
    }
  }
}

std::shared_ptr<void> Storage::Watch(absl::string_view resource, absl::string_view prefix,
                                     Callback changed) {
  auto watcher = std::make_shared<const Watcher>(Watcher{std::string(prefix), std::move(changed)});
  base::MutexLock lock(mutex_);
  Resource& state = ResourceOf(resource);
  auto watchers = std::make_shared<Watchers>();
  if (state.watchers != nullptr) {
    watchers->reserve(state.watchers->size() + 1);
    for (const std::weak_ptr<const Watcher>& each : *state.watchers) {
      if (!each.expired()) watchers->push_back(each);
    }
  }
  watchers->push_back(watcher);
  state.watchers = std::move(watchers);
  return std::const_pointer_cast<Watcher>(watcher);
}

std::shared_ptr<void> Storage::AtRevision(int64_t revision, Callback reached) {
  auto watcher = std::make_shared<const Watcher>(Watcher{{}, std::move(reached)});
  {
    base::MutexLock lock(mutex_);
    if (revision > revision_) {
      waiting_.emplace(revision, watcher);
      return std::const_pointer_cast<Watcher>(watcher);
    }
  }
  watcher->changed();
  return std::const_pointer_cast<Watcher>(watcher);
}

}  // namespace kube::apiserver
