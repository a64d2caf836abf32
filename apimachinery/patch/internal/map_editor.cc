#include "apimachinery/patch/internal/map_editor.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/map_edit.h"
#include "apimachinery/unstructured/value.h"

namespace kube::patch::internal {
namespace {

using unstructured::Value;
using Entry = Map<Value>::Entry;

// Up to this size, moving entries costs no more than collecting changes.
constexpr size_t kSmall = 64;

}  // namespace

bool MapEditor::Collects() {
  collects_ = collects_ || map_.size() > kSmall;
  return collects_;
}

Entry* MapEditor::FindEntry(absl::string_view key) {
  Value* value = map_.find(key);
  if (value == nullptr) return nullptr;
  const auto offset =
      static_cast<size_t>(reinterpret_cast<char*>(value) - reinterpret_cast<char*>(map_.begin()));
  return map_.begin() + offset / sizeof(Entry);
}

bool MapEditor::IsGone(const Entry* entry) const {
  return !gone_.empty() && gone_[static_cast<size_t>(entry - map_.begin())];
}

Value* MapEditor::Find(absl::string_view key) {
  if (!collects_) return map_.find(key);
  if (Entry* entry = FindEntry(key); entry != nullptr) {
    return IsGone(entry) ? nullptr : &entry->value;
  }
  const auto found = added_.find(key);
  return found == added_.end() ? nullptr : &found->second;
}

Value& MapEditor::operator[](absl::string_view key) {
  if (!Collects()) return map_[key];
  Entry* entry = FindEntry(key);
  if (entry == nullptr) {
    const auto found = added_.find(key);
    return found != added_.end() ? found->second : added_[std::string(key)];
  }
  if (IsGone(entry)) {
    gone_[static_cast<size_t>(entry - map_.begin())] = false;
    entry->value = Value();
  }
  return entry->value;
}

bool MapEditor::Erase(absl::string_view key) {
  if (!Collects()) return map_.erase(key);
  Entry* entry = FindEntry(key);
  if (entry == nullptr) {
    const auto found = added_.find(key);
    if (found == added_.end()) return false;
    added_.erase(found);
    return true;
  }
  if (IsGone(entry)) return false;
  if (gone_.empty()) gone_.resize(map_.size());
  gone_[static_cast<size_t>(entry - map_.begin())] = true;
  return true;
}

void MapEditor::Commit() {
  collects_ = false;
  if (!gone_.empty()) kube::table::EraseMarked(map_, gone_);
  gone_.clear();
  if (added_.empty()) return;
  Map<Value> added = Map<Value>::Empty();
  for (auto& [key, value] : added_) added[key] = std::move(value);
  kube::table::MoveEntries(added, map_);
  added_.clear();
}

}  // namespace kube::patch::internal
