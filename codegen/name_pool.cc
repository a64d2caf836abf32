// Finding the shortest text that contains all names is the shortest common superstring problem.
// Build uses the usual greedy approximation: it drops names that are part of another one, and then
// repeatedly appends the name that overlaps most with the end of the text so far.
//
// A definition of a custom resource may have tens of thousands of names, so nothing compares names
// with each other. The names are in a trie, in which each node is the beginning of one or more
// names and has a link to the node of the longest other beginning that its text ends with (the
// automaton of Aho and Corasick). A name is part of another one if its node has children or if a
// link leads to it. The links of the last name lead to its overlaps with other names, the longest
// one first. And one pass over the finished text finds the position of every name.

#include "codegen/name_pool.h"

#include <cstddef>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kube::codegen {
namespace {

using Places = std::map<std::string, int>;

// The beginning of one or more names. Node 0 is the root, which is empty.
struct Node {
  char byte = 0;         // the last one
  int depth = 0;         // how many bytes it has
  int first_child = 0;   // 0: none
  int last_child = 0;    // 0: none
  int next_sibling = 0;  // 0: none
  int suffix = 0;        // the node of the longest other beginning that it ends with
  int shorter_name = 0;  // the first node along the suffixes at which a name ends; 0: none
  int name = -1;         // the name that ends here; -1: none
  int first = 0;         // the names that begin with it are those from `first`
  int last = 0;          // to before `last`
};

// The names in alphabetical order, by number.
class Trie {
 public:
  explicit Trie(const Places& names);

  const Node& node(int index) const { return nodes_[static_cast<size_t>(index)]; }
  int size() const { return static_cast<int>(nodes_.size()); }
  // Returns the node at which a name ends.
  int EndOf(int name) const { return ends_[static_cast<size_t>(name)]; }
  // Returns the node of the longest beginning that the text of `index` and then `byte` end with.
  int Step(int index, char byte) const;

 private:
  Node& At(int index) { return nodes_[static_cast<size_t>(index)]; }
  int AddChild(int parent, char byte, int name);
  void SetLinks();

  std::vector<Node> nodes_;
  std::vector<int> ends_;
};

Trie::Trie(const Places& names) : nodes_(1) {
  At(0).last = static_cast<int>(names.size());
  // The nodes of the name before, which share their beginning with those of the next one.
  std::vector<int> path = {0};
  absl::string_view before;
  for (const auto& [text, place] : names) {
    const int name = static_cast<int>(ends_.size());
    size_t common = 0;
    while (common < before.size() && common < text.size() && before[common] == text[common]) {
      ++common;
    }
    path.resize(common + 1);
    for (const int index : path) {
      if (index != 0) At(index).last = name + 1;
    }
    for (size_t i = common; i < text.size(); ++i) {
      path.push_back(AddChild(path.back(), text[i], name));
    }
    At(path.back()).name = name;
    ends_.push_back(path.back());
    before = text;
  }
  SetLinks();
}

int Trie::AddChild(int parent, char byte, int name) {
  const int index = size();
  Node child;
  child.byte = byte;
  child.depth = node(parent).depth + 1;
  child.first = name;
  child.last = name + 1;
  nodes_.push_back(child);
  const int sibling = node(parent).last_child;
  (sibling == 0 ? At(parent).first_child : At(sibling).next_sibling) = index;
  At(parent).last_child = index;
  return index;
}

int Trie::Step(int index, char byte) const {
  while (true) {
    int child = node(index).first_child;
    while (child != 0 && node(child).byte != byte) child = node(child).next_sibling;
    if (child != 0 || index == 0) return child;
    index = node(index).suffix;
  }
}

// The links of shorter nodes are needed for those of longer ones.
void Trie::SetLinks() {
  std::vector<int> order = {0};
  order.reserve(nodes_.size());
  for (size_t i = 0; i < order.size(); ++i) {
    const int parent = order[i];
    for (int child = node(parent).first_child; child != 0; child = node(child).next_sibling) {
      const int suffix = parent == 0 ? 0 : Step(node(parent).suffix, node(child).byte);
      At(child).suffix = suffix;
      At(child).shorter_name = node(suffix).name >= 0 ? suffix : node(suffix).shorter_name;
      order.push_back(child);
    }
  }
}

// The names that are still to be laid out.
class Left {
 public:
  explicit Left(int count) : next_(static_cast<size_t>(count) + 1) {
    std::iota(next_.begin(), next_.end(), 0);
  }

  void Remove(int name) { At(name) = name + 1; }
  // Returns the first name that is left, from `name` on; their count if there is none.
  int From(int name) {
    while (At(name) != name) {
      At(name) = At(At(name));
      name = At(name);
    }
    return name;
  }

 private:
  int& At(int name) { return next_[static_cast<size_t>(name)]; }

  // Of a name that is left the name itself, of others a later one.
  std::vector<int> next_;
};

void RemoveContained(const Trie& trie, Left& left) {
  for (int i = 0; i < trie.size(); ++i) {
    const Node& node = trie.node(i);
    if (node.name >= 0 && node.first_child != 0) left.Remove(node.name);
    const int suffix = i == 0 ? -1 : trie.node(node.suffix).name;
    if (suffix >= 0) left.Remove(suffix);
  }
}

// Returns each name that is laid out, in order, and how many of its bytes are already there.
std::vector<std::pair<int, size_t>> LayOut(const Trie& trie, int count) {
  Left left(count);
  RemoveContained(trie, left);
  std::vector<std::pair<int, size_t>> order;
  int overlap = 0;
  while (true) {
    int next = left.From(trie.node(overlap).first);
    while (next >= trie.node(overlap).last && overlap != 0) {
      overlap = trie.node(overlap).suffix;
      next = left.From(trie.node(overlap).first);
    }
    if (next == count) return order;
    order.emplace_back(next, static_cast<size_t>(trie.node(overlap).depth));
    left.Remove(next);
    overlap = trie.node(trie.EndOf(next)).suffix;
  }
}

// Returns where each name begins in the text, which contains them all.
std::vector<int> FindPlaces(const Trie& trie, absl::string_view text, int count) {
  std::vector<int> places(static_cast<size_t>(count), -1);
  const auto place_of = [&](int index) -> int& {
    return places[static_cast<size_t>(trie.node(index).name)];
  };
  if (trie.node(0).name >= 0) place_of(0) = 0;
  int index = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    index = trie.Step(index, text[i]);
    int found = trie.node(index).name >= 0 ? index : trie.node(index).shorter_name;
    // Where a name was found before, so were those that it ends with.
    while (found != 0 && place_of(found) < 0) {
      place_of(found) = static_cast<int>(i) + 1 - trie.node(found).depth;
      found = trie.node(found).shorter_name;
    }
  }
  return places;
}

}  // namespace

void NamePool::Add(absl::string_view name, absl::string_view rules) {
  places_.emplace(absl::StrCat(name, rules), -1);
}

void NamePool::Build() {
  const int count = static_cast<int>(places_.size());
  const Trie trie(places_);
  std::vector<absl::string_view> names;
  for (const auto& [name, place] : places_) names.push_back(name);
  std::string text;
  for (const auto& [name, overlap] : LayOut(trie, count)) {
    entries_.emplace_back(names[static_cast<size_t>(name)].substr(overlap));
    text += entries_.back();
  }
  size_ = static_cast<int>(text.size());
  const std::vector<int> places = FindPlaces(trie, text, count);
  size_t next = 0;
  for (auto& [name, place] : places_) place = places[next++];
}

int NamePool::PlaceOf(absl::string_view name, absl::string_view rules) const {
  const auto found = places_.find(absl::StrCat(name, rules));
  return found == places_.end() ? -1 : found->second;
}

}  // namespace kube::codegen
