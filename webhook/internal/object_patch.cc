// Three values that have the same shape are walked at once: the object as it was sent, the same as
// the type read it, and what a function made of that. Where the last two are equal, the object
// stays as it was sent. Where they differ, the walk goes on in the members, or takes the function's
// value. So members that the type does not know are never looked at.

#include "webhook/internal/object_patch.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/patch/json_patch.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::webhook::internal {
namespace {

using unstructured::Value;

// Types are never nested deeper, and of an object without a type everything is known, so that a
// part of it may be replaced as a whole. The limit keeps the stack small.
constexpr int kMaxDepth = 1000;

struct HashOfValue {
  size_t operator()(const Value* value) const { return absl::Hash<Value>()(*value); }
};
struct EqualValues {
  bool operator()(const Value* a, const Value* b) const { return *a == *b; }
};

// Says for each element of a list which element of the older list it comes from.
class Matching {
 public:
  Matching(const List<Value>& before, const List<Value>& after)
      : before_(before), after_(after), is_taken_(before.size()), from_(after.size()) {
    MatchEqualInPlace();
    MatchEqual();
    MatchNames();
    if (before.size() == after.size()) MatchPlaces();
  }

  // Returns the index in the older list, or nullopt for a new element.
  std::optional<size_t> From(size_t index) const { return from_[index]; }

 private:
  void Take(size_t old, size_t index) {
    is_taken_[old] = true;
    from_[index] = old;
  }

  void MatchEqualInPlace() {
    for (size_t i = 0; i < std::min(before_.size(), after_.size()); ++i) {
      if (before_[i] == after_[i]) Take(i, i);
    }
  }

  void MatchEqual() {
    absl::flat_hash_map<const Value*, std::vector<size_t>, HashOfValue, EqualValues> places;
    for (size_t i = before_.size(); i > 0; --i) {
      if (!is_taken_[i - 1]) places[&before_[i - 1]].push_back(i - 1);
    }
    for (size_t i = 0; i < after_.size(); ++i) {
      if (from_[i].has_value()) continue;
      const auto found = places.find(&after_[i]);
      if (found == places.end() || found->second.empty()) continue;
      Take(found->second.back(), i);
      found->second.pop_back();
    }
  }

  void MatchNames() {
    absl::flat_hash_map<absl::string_view, size_t> places;
    for (size_t i = 0; i < before_.size(); ++i) {
      const std::optional<absl::string_view> name = before_[i]["name"].text();
      if (!is_taken_[i] && name.has_value()) places.emplace(*name, i);
    }
    for (size_t i = 0; i < after_.size(); ++i) {
      const std::optional<absl::string_view> name = after_[i]["name"].text();
      if (from_[i].has_value() || !name.has_value()) continue;
      const auto found = places.find(*name);
      if (found == places.end() || is_taken_[found->second]) continue;
      Take(found->second, i);
    }
  }

  // An element with a name that is not found is another one.
  void MatchPlaces() {
    for (size_t i = 0; i < after_.size(); ++i) {
      if (from_[i].has_value() || is_taken_[i]) continue;
      if (before_[i]["name"].is_string() || after_[i]["name"].is_string()) continue;
      Take(i, i);
    }
  }

  const List<Value>& before_;
  const List<Value>& after_;
  std::vector<bool> is_taken_;
  std::vector<std::optional<size_t>> from_;
};

void Change(Value& raw, const Value& before, const Value& after, int depth);

void ChangeMembers(Map<Value>& raw, const Map<Value>& before, const Map<Value>& after, int depth) {
  // A map that is built in the order of its keys takes each of them in constant time.
  Map<Value> changed = Map<Value>::Empty();
  auto sent = raw.begin();
  // Moves the sent members in front of `key`, but for those that the function has removed.
  const auto move_before = [&](const absl::string_view* key) {
    for (; sent != raw.end() && (key == nullptr || sent->key.view() < *key); ++sent) {
      if (!before.contains(sent->key)) changed[sent->key] = std::move(sent->value);
    }
  };
  const Value absent;
  for (const auto& [name, value] : after) {
    const absl::string_view key = name.view();
    move_before(&key);
    const Value* old = before.find(key);
    if (sent != raw.end() && sent->key.view() == key) {
      Change(sent->value, old == nullptr ? absent : *old, value, depth + 1);
      changed[key] = std::move(sent->value);
      ++sent;
    } else if (old == nullptr || !(*old == value)) {
      changed[key] = value;
    }
  }
  move_before(nullptr);
  raw = std::move(changed);
}

void ChangeElements(List<Value>& raw, const List<Value>& before, const List<Value>& after,
                    int depth) {
  const Matching matching(before, after);
  List<Value> changed = List<Value>::Empty();
  changed.reserve(after.size());
  for (size_t i = 0; i < after.size(); ++i) {
    const std::optional<size_t> from = matching.From(i);
    if (!from.has_value()) {
      changed.push_back(after[i]);
      continue;
    }
    Value element = std::move(raw[*from]);
    Change(element, before[*from], after[i], depth + 1);
    changed.push_back(std::move(element));
  }
  raw = std::move(changed);
}

void Change(Value& raw, const Value& before, const Value& after, int depth) {
  if (before == after) return;
  if (depth < kMaxDepth && raw.is_object() && after.is_object()) {
    // A member that the type leaves out because it is empty is an object without members.
    const Map<Value> empty;
    const Map<Value>* members = before.object();
    ChangeMembers(*raw.object(), members == nullptr ? empty : *members, *after.object(), depth);
    return;
  }
  if (depth < kMaxDepth && raw.is_list() && before.is_list() && after.is_list() &&
      raw.list()->size() == before.list()->size()) {
    ChangeElements(*raw.list(), *before.list(), *after.list(), depth);
    return;
  }
  raw = after;
}

}  // namespace

absl::StatusOr<std::string> ObjectPatch(absl::string_view raw, const Value& before,
                                        const Value& after) {
  if (before == after) return std::string();
  KUBE_ASSIGN_OR_RETURN(const Value sent, unstructured::ParseJson(raw));
  Value changed = sent;
  Change(changed, before, after, 0);
  KUBE_ASSIGN_OR_RETURN(const patch::JsonPatch operations, patch::MakeJsonPatch(sent, changed));
  if (operations.empty()) return std::string();
  return patch::EncodeJsonPatch(operations);
}

}  // namespace kube::webhook::internal
