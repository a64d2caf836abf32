#ifndef APIMACHINERY_MANAGEDFIELDS_FIELD_SET_H_
#define APIMACHINERY_MANAGEDFIELDS_FIELD_SET_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "apimachinery/managedfields/path_element.h"

namespace kube::managedfields {

// A set of paths to fields and list items, as a tree: each node is one path element, may be a
// member of the set itself, and has the nodes below it. Sets are equal if they have the same
// members (structured-merge-diff: `fieldpath.Set`).
//
//   FieldSet set;
//   set.Insert({PathElement::Field("spec"), PathElement::Field("replicas")});
//   const bool has_spec = set.Has({PathElement::Field("spec")});  // false: only .spec.replicas
//
// A copy takes constant time: both sets share their nodes until one of them is changed, and then
// only the levels that differ are copied. The results of operations share what they leave alone.
// Thread-compatible, also as to what sets share.
class FieldSet {
 public:
  struct Node;

  FieldSet() = default;
  FieldSet(std::initializer_list<Path> paths);
  FieldSet(const FieldSet& other) noexcept : level_(other.level_) {
    if (level_ != nullptr) level_->sets.fetch_add(1, std::memory_order_relaxed);
  }
  // `other` is empty afterwards.
  FieldSet(FieldSet&& other) noexcept : level_(std::exchange(other.level_, nullptr)) {}
  FieldSet& operator=(FieldSet other) noexcept {
    std::swap(level_, other.level_);
    return *this;
  }
  ~FieldSet() { Drop(level_); }
  // Returns the set of these nodes, which must be in ascending order and have different elements.
  // Each must be a member, have children, or both. Takes constant time.
  static FieldSet FromSorted(std::vector<Node> nodes);

  bool empty() const { return level_ == nullptr; }
  // Returns the number of members.
  size_t size() const;
  bool Has(absl::Span<const PathElement> path) const;
  bool Has(std::initializer_list<PathElement> path) const;
  // Inserts a path. An empty path, the object itself, is never a member and is ignored.
  void Insert(absl::Span<const PathElement> path);
  void Insert(std::initializer_list<PathElement> path);

  // The nodes of the first level, sorted. Each is a member, has children, or both.
  const std::vector<Node>& nodes() const { return level_ == nullptr ? NoNodes() : level_->nodes; }
  const Node* Find(const PathElement& element) const;
  // Returns the node of `element`, added if the set has none. The caller must make it a member or
  // give it children. Adding in ascending order takes constant time. References to nodes are
  // invalidated by further additions to the same level.
  Node& Add(PathElement element);
  // Makes `children`, which must not be empty unless `is_member`, the node of `element`, which must
  // be greater than all elements of this level.
  void Append(PathElement element, bool is_member, FieldSet children);

  FieldSet Union(const FieldSet& other) const;
  FieldSet Intersection(const FieldSet& other) const;
  // Returns the members that `other` does not have. Members below a member of `other` stay.
  FieldSet Difference(const FieldSet& other) const;
  // Returns the members that are neither in `other` nor below a member of `other`.
  FieldSet RecursiveDifference(const FieldSet& other) const;
  // Returns the members that have no members below them.
  FieldSet Leaves() const;
  // Calls `visit` with each member, in upstream's order: those of a level come before those below
  // it. The path is only valid during the call (structured-merge-diff: `Set.Iterate`).
  void VisitPaths(absl::FunctionRef<void(const Path& path)> visit) const;
  // Returns all members in the order of VisitPaths.
  std::vector<Path> Paths() const;

  // Takes constant time for parts that the sets share.
  friend bool operator==(const FieldSet& a, const FieldSet& b);
  // Returns the paths of the members, one a line (structured-merge-diff: `Set.String`).
  std::string ToString() const;
  friend std::ostream& operator<<(std::ostream& out, const FieldSet& set);

 private:
  // The first level, which is not changed while several sets share it.
  struct Level {
    std::atomic<uint32_t> sets{1};  // the number of sets that share it
    std::vector<Node> nodes;
  };

  static const std::vector<Node>& NoNodes();
  // Takes a set away from a level; frees the level with the last one.
  static void Drop(Level* level) noexcept;
  // Returns the nodes, which the caller may change, and must not leave empty.
  std::vector<Node>& OwnNodes();

  Level* level_ = nullptr;  // null if and only if the set is empty
};

struct FieldSet::Node {
  PathElement element;
  bool is_member = false;
  FieldSet children;
};

// Returns the union of all sets, as Union of one after another does. Of equal elements that are
// written differently, such as 80 and 80.0, that of the earliest set remains. Takes n log n time
// for n members in all sets, where adding one set after another to a growing one takes quadratic
// time.
FieldSet UnionOfAll(std::vector<FieldSet> sets);

// What a pattern says of one path element: equal to `element`, or anything.
struct PatternElement {
  PathElement element = {};
  bool any = false;  // matches every element
};
using PathPattern = std::vector<PatternElement>;

// Fields that a write does not own: those that the endpoint resets. At most one of the two members
// is used (structured-merge-diff: `fieldpath.Filter`; see `GetResetFields` of Kubernetes'
// strategies).
struct FieldFilter {
  // These fields, and all below them, are not owned.
  FieldSet excluded = {};
  // If there are any: only fields that match the beginning of a pattern, match a pattern, or are
  // below such a match can be owned. Unlike upstream, overlapping patterns are united as one
  // expects.
  std::vector<PathPattern> included_patterns = {};

  bool empty() const { return excluded.empty() && included_patterns.empty(); }
  FieldSet Apply(const FieldSet& set) const;
};

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_FIELD_SET_H_
