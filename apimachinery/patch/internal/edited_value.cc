#include "apimachinery/patch/internal/edited_value.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/map_edit.h"
#include "apimachinery/unstructured/value.h"

namespace kube::patch::internal {
namespace {

using unstructured::Value;

// The maximum nesting of texts that the decoders, and Go's, read.
constexpr size_t kMaxDepth = 10'000;
constexpr size_t kMinChunk = 256;

template <typename T>
std::ptrdiff_t Offset(T index) {
  return static_cast<std::ptrdiff_t>(index);
}

// A value, and the number of objects and lists around it.
struct Nested {
  const Value* value;
  size_t depth;
};

bool IsTooDeep(const Value& root, size_t depth) {
  if (!root.is_object() && !root.is_list()) return false;
  std::vector<Nested> pending = {{&root, depth}};
  while (!pending.empty()) {
    const Nested nested = pending.back();
    pending.pop_back();
    if (nested.depth == kMaxDepth) return true;
    const auto add = [&](const Value& value) {
      if (value.is_object() || value.is_list()) pending.push_back({&value, nested.depth + 1});
    };
    if (const Map<Value>* object = nested.value->object(); object != nullptr) {
      for (const auto& [key, value] : *object) add(value);
    } else {
      for (const Value& value : *nested.value->list()) add(value);
    }
  }
  return false;
}

}  // namespace

// An open object: the original members, and the changes since. An entry of `changed` overrides
// `base`; nullopt means that the member was erased.
struct EditedValue::Members {
  Map<Value> base;
  std::map<std::string, std::optional<EditedValue>, std::less<>> changed;
};

// An open list, in chunks that are never empty.
struct EditedValue::Elements {
  std::vector<std::vector<EditedValue>> chunks;
  size_t size = 0;
  size_t chunk_size = kMinChunk;
};

struct EditedValue::Place {
  size_t chunk;
  size_t index;
};

EditedValue::EditedValue() = default;
EditedValue::EditedValue(Value value) : value_(std::move(value)) {}
EditedValue::EditedValue(EditedValue&& other) noexcept = default;

EditedValue& EditedValue::operator=(EditedValue&& other) noexcept {
  EditedValue taken(std::move(other));
  std::swap(value_, taken.value_);
  std::swap(members_, taken.members_);
  std::swap(elements_, taken.elements_);
  return *this;
}

EditedValue::~EditedValue() {
  if (!is_open()) return;
  std::vector<EditedValue> pending;
  const auto take = [&](EditedValue& child) {
    if (child.is_open()) pending.push_back(std::move(child));
  };
  VisitChildren(take);
  while (!pending.empty()) {
    EditedValue last = std::move(pending.back());
    pending.pop_back();
    last.VisitChildren(take);
  }
}

template <typename Visit>
void EditedValue::VisitChildren(const Visit& visit) {
  if (members_ != nullptr) {
    for (auto& [key, member] : members_->changed) {
      if (member.has_value()) visit(*member);
    }
  } else if (elements_ != nullptr) {
    for (std::vector<EditedValue>& chunk : elements_->chunks) {
      for (EditedValue& element : chunk) visit(element);
    }
  }
}

// ---- objects

EditedValue::Members& EditedValue::OpenObject() {
  if (members_ == nullptr) {
    members_ = std::make_unique<Members>();
    members_->base = std::move(*value_.object());
    value_ = Value();
  }
  return *members_;
}

EditedValue* EditedValue::FindMember(absl::string_view key) {
  Members& members = OpenObject();
  if (const auto found = members.changed.find(key); found != members.changed.end()) {
    return found->second.has_value() ? &*found->second : nullptr;
  }
  Value* value = members.base.find(key);
  if (value == nullptr) return nullptr;
  return &members.changed[std::string(key)].emplace(std::move(*value));
}

void EditedValue::SetMember(absl::string_view key, EditedValue value) {
  Members& members = OpenObject();
  if (const auto found = members.changed.find(key); found != members.changed.end()) {
    found->second = std::move(value);
  } else {
    members.changed[std::string(key)] = std::move(value);
  }
}

bool EditedValue::EraseMember(absl::string_view key) {
  Members& members = OpenObject();
  const bool was_there = members.base.contains(key);
  const auto found = members.changed.find(key);
  if (found == members.changed.end()) {
    if (was_there) members.changed[std::string(key)] = std::nullopt;
    return was_there;
  }
  if (!found->second.has_value()) return false;
  if (was_there) {
    found->second.reset();
  } else {
    members.changed.erase(found);
  }
  return true;
}

// ---- lists

EditedValue::Elements& EditedValue::OpenList() {
  if (elements_ != nullptr) return *elements_;
  List<Value> list = std::move(*value_.list());
  value_ = Value();
  elements_ = std::make_unique<Elements>();
  elements_->size = list.size();
  elements_->chunk_size =
      std::max(kMinChunk, static_cast<size_t>(std::sqrt(static_cast<double>(list.size()))));
  for (Value& value : list) {
    if (elements_->chunks.empty() || elements_->chunks.back().size() == elements_->chunk_size) {
      elements_->chunks.emplace_back().reserve(std::min(elements_->chunk_size, list.size()) + 1);
    }
    elements_->chunks.back().emplace_back(std::move(value));
  }
  return *elements_;
}

size_t EditedValue::size() const {
  return elements_ != nullptr ? elements_->size : value_.list()->size();
}

// Returns the place of the element at `index`, which must exist, searching from the nearer end.
EditedValue::Place EditedValue::Find(Elements& elements, size_t index) {
  if (index < elements.size / 2) {
    size_t chunk = 0;
    for (; index >= elements.chunks[chunk].size(); ++chunk) index -= elements.chunks[chunk].size();
    return {chunk, index};
  }
  size_t behind = elements.size - index;  // the element and those after it, at least one
  size_t chunk = elements.chunks.size() - 1;
  for (; behind > elements.chunks[chunk].size(); --chunk) behind -= elements.chunks[chunk].size();
  return {chunk, elements.chunks[chunk].size() - behind};
}

EditedValue* EditedValue::Element(size_t index) {
  Elements& elements = OpenList();
  const Place place = Find(elements, index);
  return &elements.chunks[place.chunk][place.index];
}

void EditedValue::InsertElement(size_t index, EditedValue value) {
  Elements& elements = OpenList();
  if (elements.chunks.empty()) elements.chunks.emplace_back();
  Place place = {elements.chunks.size() - 1, elements.chunks.back().size()};
  if (index < elements.size) place = Find(elements, index);
  std::vector<EditedValue>& chunk = elements.chunks[place.chunk];
  chunk.insert(chunk.begin() + Offset(place.index), std::move(value));
  ++elements.size;
  if (chunk.size() < 2 * elements.chunk_size) return;
  const auto middle = chunk.begin() + Offset(chunk.size() / 2);
  std::vector<EditedValue> rest(std::make_move_iterator(middle),
                                std::make_move_iterator(chunk.end()));
  chunk.erase(middle, chunk.end());
  elements.chunks.insert(elements.chunks.begin() + Offset(place.chunk + 1), std::move(rest));
}

void EditedValue::EraseElement(size_t index) {
  Elements& elements = OpenList();
  const Place place = Find(elements, index);
  std::vector<EditedValue>& chunk = elements.chunks[place.chunk];
  chunk.erase(chunk.begin() + Offset(place.index));
  --elements.size;
  if (chunk.empty()) elements.chunks.erase(elements.chunks.begin() + Offset(place.chunk));
}

// ---- closing

absl::StatusOr<Value*> EditedValue::Close() {
  if (IsTooDeep()) {
    return absl::InvalidArgumentError(
        absl::StrCat("result exceeds the maximum nesting depth of ", kMaxDepth));
  }
  // Containers stand before what they contain, so that the reverse order closes from the inside
  // out.
  std::vector<EditedValue*> open;
  if (is_open()) open.push_back(this);
  for (size_t i = 0; i < open.size(); ++i) {
    open[i]->VisitChildren([&](EditedValue& child) {
      if (child.is_open()) open.push_back(&child);
    });
  }
  for (auto at = open.rbegin(); at != open.rend(); ++at) (*at)->CloseAlone();
  return &value_;
}

void EditedValue::CloseAlone() {
  if (members_ != nullptr) {
    const std::unique_ptr<Members> members = std::move(members_);
    Map<Value> changed = Map<Value>::Empty();
    for (auto& [key, member] : members->changed) {
      if (member.has_value()) changed[key] = std::move(member->value_);
    }
    // Both are sorted by key.
    auto next = members->changed.begin();
    kube::table::EraseIf(members->base, [&](const Map<Value>::Entry& member) {
      const absl::string_view key = member.key.view();
      while (next != members->changed.end() && next->first < key) ++next;
      return next != members->changed.end() && next->first == key;
    });
    kube::table::MoveEntries(changed, members->base);
    value_ = std::move(members->base);
  } else if (elements_ != nullptr) {
    const std::unique_ptr<Elements> elements = std::move(elements_);
    List<Value> list = List<Value>::Empty();
    list.reserve(elements->size);
    for (std::vector<EditedValue>& chunk : elements->chunks) {
      for (EditedValue& element : chunk) list.push_back(std::move(element.value_));
    }
    value_ = std::move(list);
  }
}

bool EditedValue::IsTooDeep() {
  struct Level {
    EditedValue* value;
    size_t depth;
  };
  std::vector<Level> pending = {{this, 0}};
  while (!pending.empty()) {
    const Level level = pending.back();
    pending.pop_back();
    if (!level.value->is_open()) {
      if (internal::IsTooDeep(level.value->value_, level.depth)) return true;
      continue;
    }
    if (level.depth == kMaxDepth) return true;
    if (level.value->members_ != nullptr) {
      for (const auto& [key, value] : level.value->members_->base) {
        if (internal::IsTooDeep(value, level.depth + 1)) return true;
      }
    }
    level.value->VisitChildren([&](EditedValue& child) {
      pending.push_back({&child, level.depth + 1});
    });
  }
  return false;
}

}  // namespace kube::patch::internal
