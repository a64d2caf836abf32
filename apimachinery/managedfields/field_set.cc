#include "apimachinery/managedfields/field_set.h"

// Every level of a set is a vector of nodes, sorted by element, so that operations on two sets are
// merges of two sorted sequences. Upstream keeps the members of a level and the elements that have
// children in two lists; here a node is in both. No node is in neither: what an operation leaves
// empty is dropped, so that equal sets have equal nodes.
//
// Sets share levels, which count them. Who wants to change a level that others share copies it
// first; the levels below it stay shared. A write that changes one field of an object with a
// thousand fields so copies the few levels on the way to it.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <compare>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields {
namespace {

using unstructured::Value;
using Node = FieldSet::Node;

// ---- checks of the order

bool IsLarge(const Value& value) {
  constexpr double kLimit = 9007199254740992;  // 2^53
  if (const std::optional<double> number = value.number()) return std::abs(*number) >= kLimit;
  if (const List<Value>* list = value.list()) {
    return std::any_of(list->begin(), list->end(), IsLarge);
  }
  const Map<Value>* object = value.object();
  return object != nullptr &&
         std::any_of(object->begin(), object->end(),
                     [](const Map<Value>::Entry& entry) { return IsLarge(entry.value); });
}

bool HasLargeNumber(const PathElement& element) {
  const Map<Value>* key = element.key();
  if (key == nullptr) return IsLarge(element.item());
  return std::any_of(key->begin(), key->end(),
                     [](const Map<Value>::Entry& entry) { return IsLarge(entry.value); });
}

// Returns whether `element` may come after `previous` on a level. Integers beyond 2^53 and doubles
// have no order that is transitive, see CompareValues: a list that has both cannot be sorted. Such
// lists come from outside, and no operation relies on the order for more than its result.
bool MayFollow(const PathElement& previous, const PathElement& element) {
  return previous < element || HasLargeNumber(previous) || HasLargeNumber(element);
}

// ---- levels

// Returns the index of the first node that is not less than `element`.
size_t PositionOf(const std::vector<Node>& nodes, const PathElement& element) {
  // Mostly elements come in ascending order.
  if (nodes.empty() || nodes.back().element < element) return nodes.size();
  const auto position = std::lower_bound(
      nodes.begin(), nodes.end(), element,
      [](const Node& node, const PathElement& wanted) { return node.element < wanted; });
  return static_cast<size_t>(position - nodes.begin());
}

bool IsAt(const std::vector<Node>& nodes, size_t i, const PathElement& element) {
  return i < nodes.size() && nodes[i].element == element;
}

Node& InsertAt(std::vector<Node>& nodes, size_t i, PathElement element) {
  const auto position = nodes.begin() + static_cast<ptrdiff_t>(i);
  return *nodes.insert(position, Node{std::move(element), false, FieldSet()});
}

// Calls visit(node, other) for each node of `a`, in order; `other` is the node of `b` that has the
// same element, or null. Nodes of `b` that are far away are searched, so that a small set takes
// little time also beside a large one: one write is compared with the sets of all managers.
template <typename Visit>
void ForEach(const std::vector<Node>& a, const std::vector<Node>& b, const Visit& visit) {
  constexpr int kNear = 16;
  auto next = b.begin();
  for (const Node& node : a) {
    std::strong_ordering order = std::strong_ordering::greater;
    int steps = 0;
    while (next != b.end() && (order = next->element <=> node.element) < 0) {
      ++next;
      if (++steps < kNear) continue;
      next = std::lower_bound(next, b.end(), node.element,
                              [](const Node& candidate, const PathElement& wanted) {
                                return candidate.element < wanted;
                              });
    }
    const Node* other = nullptr;
    if (next != b.end() && order == 0) other = &*next++;
    visit(node, other);
  }
}

// Appends what is left of `node`, if anything is.
void AppendRest(FieldSet& to, const Node& node, bool is_member, FieldSet children) {
  if (!is_member && children.empty()) return;
  to.Append(node.element, is_member, std::move(children));
}

void VisitBelow(const FieldSet& set, Path& prefix, absl::FunctionRef<void(const Path&)> visit) {
  for (const Node& node : set.nodes()) {
    if (!node.is_member) continue;
    prefix.push_back(node.element);
    visit(prefix);
    prefix.pop_back();
  }
  for (const Node& node : set.nodes()) {
    if (node.children.empty()) continue;
    prefix.push_back(node.element);
    VisitBelow(node.children, prefix, visit);
    prefix.pop_back();
  }
}

using Patterns = std::vector<const PathPattern*>;

// Returns the members of `set` that match one of `patterns`, whose elements before `depth` the path
// to `set` matches. All patterns are longer than `depth`.
FieldSet Matching(const FieldSet& set, const Patterns& patterns, size_t depth) {
  FieldSet matching;
  for (const Node& node : set.nodes()) {
    Patterns matched;
    bool is_complete = false;
    for (const PathPattern* pattern : patterns) {
      const PatternElement& wanted = (*pattern)[depth];
      if (!wanted.any && wanted.element != node.element) continue;
      matched.push_back(pattern);
      if (pattern->size() == depth + 1) is_complete = true;
    }
    if (matched.empty()) continue;
    if (is_complete) {
      matching.Append(node.element, node.is_member, node.children);
    } else {
      AppendRest(matching, node, node.is_member, Matching(node.children, matched, depth + 1));
    }
  }
  return matching;
}

}  // namespace

FieldSet::FieldSet(std::initializer_list<Path> paths) {
  for (const Path& path : paths) Insert(path);
}

FieldSet FieldSet::FromSorted(std::vector<Node> nodes) {
  KUBE_DCHECK(std::adjacent_find(nodes.begin(), nodes.end(), [](const Node& a, const Node& b) {
                return !MayFollow(a.element, b.element);
              }) == nodes.end());
  FieldSet set;
  if (!nodes.empty()) set.OwnNodes() = std::move(nodes);
  return set;
}

const std::vector<Node>& FieldSet::NoNodes() {
  static base::NoDestructor<std::vector<Node>> none;
  return *none;
}

void FieldSet::Drop(Level* level) noexcept {
  if (level == nullptr || level->sets.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  const std::unique_ptr<Level> last(level);
}

std::vector<Node>& FieldSet::OwnNodes() {
  if (level_ == nullptr) {
    level_ = std::make_unique<Level>().release();
  } else if (level_->sets.load(std::memory_order_acquire) != 1) {
    auto own = std::make_unique<Level>();
    own->nodes = level_->nodes;
    Drop(std::exchange(level_, own.release()));
  }
  return level_->nodes;
}

size_t FieldSet::size() const {
  size_t members = 0;
  for (const Node& node : nodes()) members += (node.is_member ? 1 : 0) + node.children.size();
  return members;
}

bool FieldSet::Has(absl::Span<const PathElement> path) const {
  const FieldSet* set = this;
  const Node* node = nullptr;
  for (const PathElement& element : path) {
    node = set->Find(element);
    if (node == nullptr) return false;
    set = &node->children;
  }
  return node != nullptr && node->is_member;
}

bool FieldSet::Has(std::initializer_list<PathElement> path) const {
  return Has(absl::MakeConstSpan(path.begin(), path.size()));
}

void FieldSet::Insert(absl::Span<const PathElement> path) {
  FieldSet* set = this;
  Node* node = nullptr;
  for (const PathElement& element : path) {
    std::vector<Node>& level = set->OwnNodes();
    const size_t i = PositionOf(level, element);
    node = IsAt(level, i, element) ? &level[i] : &InsertAt(level, i, element);
    set = &node->children;
  }
  if (node != nullptr) node->is_member = true;
}

void FieldSet::Insert(std::initializer_list<PathElement> path) {
  Insert(absl::MakeConstSpan(path.begin(), path.size()));
}

const FieldSet::Node* FieldSet::Find(const PathElement& element) const {
  const std::vector<Node>& level = nodes();
  const size_t i = PositionOf(level, element);
  return IsAt(level, i, element) ? &level[i] : nullptr;
}

FieldSet::Node& FieldSet::Add(PathElement element) {
  std::vector<Node>& level = OwnNodes();
  const size_t i = PositionOf(level, element);
  return IsAt(level, i, element) ? level[i] : InsertAt(level, i, std::move(element));
}

void FieldSet::Append(PathElement element, bool is_member, FieldSet children) {
  std::vector<Node>& level = OwnNodes();
  KUBE_DCHECK(level.empty() || MayFollow(level.back().element, element)) << element;
  KUBE_DCHECK(is_member || !children.empty()) << element;
  if (level.capacity() == 0) level.reserve(4);
  level.push_back(Node{std::move(element), is_member, std::move(children)});
}

FieldSet FieldSet::Union(const FieldSet& other) const {
  if (other.empty() || level_ == other.level_) return *this;
  if (empty()) return other;
  std::vector<Node> all;
  all.reserve(std::max(nodes().size(), other.nodes().size()));
  auto a = nodes().begin();
  auto b = other.nodes().begin();
  while (a != nodes().end() && b != other.nodes().end()) {
    const std::strong_ordering order = a->element <=> b->element;
    if (order < 0) {
      all.push_back(*a++);
    } else if (order > 0) {
      all.push_back(*b++);
    } else {
      all.push_back(Node{a->element, a->is_member || b->is_member, a->children.Union(b->children)});
      ++a;
      ++b;
    }
  }
  all.insert(all.end(), a, nodes().end());
  all.insert(all.end(), b, other.nodes().end());
  return FromSorted(std::move(all));
}

FieldSet FieldSet::Intersection(const FieldSet& other) const {
  if (level_ == other.level_) return *this;
  FieldSet both;
  if (empty() || other.empty()) return both;
  ForEach(nodes(), other.nodes(), [&both](const Node& node, const Node* match) {
    if (match == nullptr) return;
    AppendRest(both, node, node.is_member && match->is_member,
               node.children.Intersection(match->children));
  });
  return both;
}

FieldSet FieldSet::Difference(const FieldSet& other) const {
  if (other.empty()) return *this;
  FieldSet rest;
  if (level_ == other.level_) return rest;
  ForEach(nodes(), other.nodes(), [&rest](const Node& node, const Node* match) {
    if (match == nullptr) {
      rest.Append(node.element, node.is_member, node.children);
    } else {
      AppendRest(rest, node, node.is_member && !match->is_member,
                 node.children.Difference(match->children));
    }
  });
  return rest;
}

FieldSet FieldSet::RecursiveDifference(const FieldSet& other) const {
  if (other.empty()) return *this;
  FieldSet rest;
  ForEach(nodes(), other.nodes(), [&rest](const Node& node, const Node* match) {
    if (match == nullptr) {
      rest.Append(node.element, node.is_member, node.children);
    } else if (!match->is_member) {
      AppendRest(rest, node, node.is_member, node.children.RecursiveDifference(match->children));
    }
  });
  return rest;
}

FieldSet FieldSet::Leaves() const {
  FieldSet leaves;
  for (const Node& node : nodes()) {
    leaves.Append(node.element, node.children.empty(), node.children.Leaves());
  }
  return leaves;
}

void FieldSet::VisitPaths(absl::FunctionRef<void(const Path&)> visit) const {
  Path prefix;
  VisitBelow(*this, prefix, visit);
}

std::vector<Path> FieldSet::Paths() const {
  std::vector<Path> paths;
  VisitPaths([&paths](const Path& path) { paths.push_back(path); });
  return paths;
}

bool operator==(const FieldSet& a, const FieldSet& b) {
  if (a.level_ == b.level_) return true;
  const std::vector<Node>& a_nodes = a.nodes();
  const std::vector<Node>& b_nodes = b.nodes();
  return std::equal(a_nodes.begin(), a_nodes.end(), b_nodes.begin(), b_nodes.end(),
                    [](const Node& x, const Node& y) {
                      return x.is_member == y.is_member && x.element == y.element &&
                             x.children == y.children;
                    });
}

std::string FieldSet::ToString() const {
  std::string text;
  VisitPaths([&text](const Path& path) {
    absl::StrAppend(&text, text.empty() ? "" : "\n", PathText(path));
  });
  return text;
}

std::ostream& operator<<(std::ostream& out, const FieldSet& set) { return out << set.ToString(); }

FieldSet UnionOfAll(std::vector<FieldSet> sets) {
  if (sets.empty()) return FieldSet();
  // Each round unites neighbours, so that a member is copied once a round.
  while (sets.size() > 1) {
    size_t count = 0;
    for (size_t i = 0; i < sets.size(); i += 2) {
      FieldSet both = i + 1 == sets.size() ? std::move(sets[i]) : sets[i].Union(sets[i + 1]);
      sets[count++] = std::move(both);
    }
    sets.resize(count);
  }
  return std::move(sets[0]);
}

FieldSet FieldFilter::Apply(const FieldSet& set) const {
  FieldSet owned = set.RecursiveDifference(excluded);
  if (included_patterns.empty()) return owned;
  Patterns patterns;
  for (const PathPattern& pattern : included_patterns) {
    if (pattern.empty()) return owned;  // every path begins with it
    patterns.push_back(&pattern);
  }
  return Matching(owned, patterns, 0);
}

}  // namespace kube::managedfields
