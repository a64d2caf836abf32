#include "listers/internal/slot_tree.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <new>

#include "apimachinery/base/check.h"
#include "listers/internal/posting.h"
#include "listers/internal/ref.h"

// A B+ tree with reference-counted nodes. Trees that are copies of each other share nodes, so a
// node may be changed only if it has no other owner. A change calls Own() on each node of its path,
// from the root down: a node with another owner is copied, and its children gain an owner, so that
// the next one on the path is copied as well.
//
// Nodes have variable capacity: keys, then values or children, follow the header in one allocation.
// The keys of an inner node are lower bounds of its children, so the child for a key is the last
// one whose bound is not greater.
//
// Set descends to a leaf; a full node splits into halves, and the upper half moves up as a Split.
// Remove closes the gap and lets Tidy drop an empty child or merge a small child with its left
// neighbour. No node but a root being removed is empty. Values leave the tree by being returned, so
// that the caller chooses where to destroy them.

namespace kube::listers::internal {
namespace {

// Measured: larger leaves save little memory, but make a write copy more references to objects;
// larger inner nodes slow down each write after a snapshot.
constexpr uint32_t kMaxLeaf = 32;
constexpr uint32_t kMaxInner = 16;
// Capacities are multiples of this.
constexpr uint32_t kGrowth = 4;

}  // namespace

// The keys of an inner node are lower bounds for the keys of its children. The first one equals the
// bound that the node itself has in its parent, or 0 in the root.
template <typename V>
struct alignas(8) SlotNode : RefCounted {
  uint16_t count = 0;
  uint8_t capacity = 0;
  bool is_leaf = true;

  static constexpr size_t Size(bool is_leaf, uint32_t capacity) {
    return sizeof(SlotNode) + capacity * (8 + (is_leaf ? sizeof(V) : sizeof(SlotNode*)));
  }
  static SlotNode* Make(bool is_leaf, uint32_t least_capacity) {
    const uint32_t capacity = (least_capacity + kGrowth - 1) / kGrowth * kGrowth;
    auto* node = new (::operator new(Size(is_leaf, capacity))) SlotNode;
    static_assert(sizeof(SlotNode) == 8);
    node->capacity = static_cast<uint8_t>(capacity);
    node->is_leaf = is_leaf;
    return node;
  }

  uint64_t* keys() { return reinterpret_cast<uint64_t*>(this + 1); }
  const uint64_t* keys() const { return reinterpret_cast<const uint64_t*>(this + 1); }
  V* values() { return reinterpret_cast<V*>(keys() + capacity); }
  const V* values() const { return reinterpret_cast<const V*>(keys() + capacity); }
  SlotNode** children() { return reinterpret_cast<SlotNode**>(keys() + capacity); }
  SlotNode* const* children() const {
    return reinterpret_cast<SlotNode* const*>(keys() + capacity);
  }
  uint32_t max_count() const { return is_leaf ? kMaxLeaf : kMaxInner; }

  // Returns the number of keys less than `key`. For few keys, counting all of them is faster than a
  // binary search with its unpredictable branches, and the processor prefetches meanwhile.
  uint32_t LowerBound(uint64_t key) const {
    uint32_t less = 0;
    for (uint32_t i = 0; i < count; ++i) less += keys()[i] < key ? 1 : 0;
    return less;
  }
  // Returns the index of the child whose range contains `key`.
  uint32_t ChildOf(uint64_t key) const {
    uint32_t not_greater = 0;
    for (uint32_t i = 0; i < count; ++i) not_greater += keys()[i] <= key ? 1 : 0;
    return not_greater - 1;
  }
};

namespace {

template <typename V>
void Drop(SlotNode<V>* node) {
  if (node == nullptr || !node->DropReference()) return;
  if (node->is_leaf) {
    std::destroy_n(node->values(), node->count);
  } else {
    for (uint32_t i = 0; i < node->count; ++i) Drop(node->children()[i]);
  }
  ::operator delete(node);
}

// Moves the entries [from, from + n) of `source` to the end of `target`, or copies them if `copy`
// is set because `source` is shared.
template <typename V>
void Append(SlotNode<V>* target, SlotNode<V>* source, uint32_t from, uint32_t n, bool copy) {
  std::copy_n(source->keys() + from, n, target->keys() + target->count);
  if (source->is_leaf) {
    V* const begin = source->values() + from;
    V* const out = target->values() + target->count;
    if (copy) {
      std::uninitialized_copy_n(begin, n, out);
    } else {
      std::uninitialized_move_n(begin, n, out);
      std::destroy_n(begin, n);
    }
  } else {
    std::copy_n(source->children() + from, n, target->children() + target->count);
    for (uint32_t i = from; copy && i < from + n; ++i) source->children()[i]->AddReference();
  }
  target->count = static_cast<uint16_t>(target->count + n);
}

// Returns `node` if it has no other owner and enough capacity, or otherwise a copy that replaces
// it.
template <typename V>
SlotNode<V>* Own(SlotNode<V>* node, uint32_t capacity) {
  const bool unique = node->IsUnique();
  if (unique && node->capacity >= capacity) return node;
  auto* own = SlotNode<V>::Make(node->is_leaf, std::max<uint32_t>(capacity, node->count));
  Append(own, node, 0, node->count, !unique);
  if (unique) node->count = 0;
  Drop(node);
  return own;
}

// Makes room for an entry at `at`; in a leaf, its value is then raw memory.
template <typename V>
void OpenGap(SlotNode<V>* node, uint32_t at) {
  uint64_t* const keys = node->keys();
  std::copy_backward(keys + at, keys + node->count, keys + node->count + 1);
  if (node->is_leaf) {
    V* const values = node->values();
    for (uint32_t i = node->count; i > at; --i) {
      std::construct_at(values + i, std::move(values[i - 1]));
      std::destroy_at(values + i - 1);
    }
  } else {
    auto** const children = node->children();
    std::copy_backward(children + at, children + node->count, children + node->count + 1);
  }
  ++node->count;
}

// Removes the entry at `at`; in a leaf, its value must have been moved from.
template <typename V>
void CloseGap(SlotNode<V>* node, uint32_t at) {
  uint64_t* const keys = node->keys();
  std::copy(keys + at + 1, keys + node->count, keys + at);
  if (node->is_leaf) {
    V* const values = node->values();
    std::move(values + at + 1, values + node->count, values + at);
    std::destroy_at(values + node->count - 1);
  } else {
    auto** const children = node->children();
    std::copy(children + at + 1, children + node->count, children + at);
  }
  --node->count;
}

// Restores the invariants after a removal from the child at `i` of `node`: an empty child is
// dropped, and two small neighbours are merged.
template <typename V>
void Tidy(SlotNode<V>* node, uint32_t i) {
  SlotNode<V>** const children = node->children();
  const uint32_t count = children[i]->count;
  if (count == 0) {
    Drop(children[i]);
    // The next child becomes the first one and takes over the node's own lower bound.
    if (i == 0 && node->count > 1) node->keys()[1] = node->keys()[0];
    CloseGap(node, i);
    return;
  }
  const uint32_t max = children[i]->max_count();
  if (count > max / 4 || node->count < 2) return;
  const uint32_t left = i == 0 ? 0 : i - 1;
  SlotNode<V>* const right = children[left + 1];
  const uint32_t sum = children[left]->count + uint32_t{right->count};
  if (sum > max * 3 / 4) return;
  children[left] = Own(children[left], sum);
  const bool copy = !right->IsUnique();
  Append(children[left], right, 0, right->count, copy);
  if (!copy) right->count = 0;
  Drop(right);
  CloseGap(node, left + 1);
}

template <typename V>
size_t BytesOf(const SlotNode<V>* node) {
  size_t bytes = SlotNode<V>::Size(node->is_leaf, node->capacity);
  for (uint32_t i = 0; !node->is_leaf && i < node->count; ++i) {
    bytes += BytesOf(node->children()[i]);
  }
  return bytes;
}

}  // namespace

// The upper half of a node that was full, to be inserted into its parent.
template <typename V>
struct SlotTree<V>::Split {
  uint64_t key = 0;
  Node* right = nullptr;
};

template <typename V>
SlotTree<V>::SlotTree(const SlotTree& other) : root_(other.root_), size_(other.size_) {
  if (root_ != nullptr) root_->AddReference();
}

template <typename V>
SlotTree<V>::~SlotTree() {
  Drop(root_);
}

template <typename V>
SlotTree<V> SlotTree<V>::FromSorted(std::vector<std::pair<uint64_t, V>> entries) {
  SlotTree tree;
  tree.size_ = entries.size();
  std::vector<std::pair<uint64_t, Node*>> level;
  for (size_t i = 0; i < entries.size();) {
    const size_t n = std::min<size_t>(kMaxLeaf, entries.size() - i);
    Node* const leaf = Node::Make(true, static_cast<uint32_t>(n));
    level.emplace_back(i == 0 ? 0 : entries[i].first, leaf);
    for (; leaf->count < n; ++i, ++leaf->count) {
      leaf->keys()[leaf->count] = entries[i].first;
      std::construct_at(leaf->values() + leaf->count, std::move(entries[i].second));
    }
  }
  while (level.size() > 1) {
    std::vector<std::pair<uint64_t, Node*>> above;
    for (size_t i = 0; i < level.size();) {
      const size_t n = std::min<size_t>(kMaxInner, level.size() - i);
      Node* const inner = Node::Make(false, static_cast<uint32_t>(n));
      above.emplace_back(level[i].first, inner);
      for (; inner->count < n; ++i, ++inner->count) {
        inner->keys()[inner->count] = level[i].first;
        inner->children()[inner->count] = level[i].second;
      }
    }
    level = std::move(above);
  }
  if (!level.empty()) tree.root_ = level.front().second;
  return tree;
}

template <typename V>
const V* SlotTree<V>::Find(uint64_t key) const {
  const Node* node = root_;
  if (node == nullptr) return nullptr;
  while (!node->is_leaf) node = node->children()[node->ChildOf(key)];
  const uint32_t i = node->LowerBound(key);
  return i < node->count && node->keys()[i] == key ? node->values() + i : nullptr;
}

template <typename V>
V* SlotTree<V>::FindMutable(uint64_t key) {
  if (root_ == nullptr) return nullptr;
  Node** node = &root_;
  while (true) {
    *node = Own(*node, 0);
    if ((*node)->is_leaf) break;
    node = (*node)->children() + (*node)->ChildOf(key);
  }
  const uint32_t i = (*node)->LowerBound(key);
  return i < (*node)->count && (*node)->keys()[i] == key ? (*node)->values() + i : nullptr;
}

template <typename V>
V SlotTree<V>::Set(uint64_t key, V value) {
  if (root_ == nullptr) root_ = Node::Make(true, 1);
  bool added = false;
  const Split split = Insert(root_, key, value, added);
  if (split.right != nullptr) {
    Node* const root = Node::Make(false, 2);
    root->count = 2;
    root->keys()[0] = 0;
    root->keys()[1] = split.key;
    root->children()[0] = root_;
    root->children()[1] = split.right;
    root_ = root;
  }
  if (added) ++size_;
  return value;
}

template <typename V>
typename SlotTree<V>::Split SlotTree<V>::Insert(Node*& node, uint64_t key, V& value, bool& added) {
  if (node->is_leaf) return InsertIntoLeaf(node, key, value, added);
  node = Own(node, 0);
  const uint32_t i = node->ChildOf(key);
  const Split below = Insert(node->children()[i], key, value, added);
  if (below.right == nullptr) return {};
  Split split;
  Node* target = node;
  uint32_t at = i + 1;
  if (node->count == kMaxInner) {
    const uint32_t half = kMaxInner / 2;
    split.right = Node::Make(false, kMaxInner - half + 1);
    Append(split.right, node, half, kMaxInner - half, false);
    node->count = half;
    split.key = split.right->keys()[0];
    if (at > half) {
      target = split.right;
      at -= half;
    }
  } else {
    target = node = Own(node, node->count + 1u);
  }
  OpenGap(target, at);
  target->keys()[at] = below.key;
  target->children()[at] = below.right;
  return split;
}

// Afterwards `value` is the previous value.
template <typename V>
typename SlotTree<V>::Split SlotTree<V>::InsertIntoLeaf(Node*& node, uint64_t key, V& value,
                                                        bool& added) {
  uint32_t at = node->LowerBound(key);
  if (at < node->count && node->keys()[at] == key) {
    node = Own(node, 0);
    std::swap(node->values()[at], value);
    return {};
  }
  added = true;
  Split split;
  Node* target = node;
  if (node->count == kMaxLeaf) {
    const uint32_t half = kMaxLeaf / 2;
    const bool into_left = at <= half;
    const bool copy = !node->IsUnique();
    // Makes two new leaves, neither larger than necessary.
    Node* const left = Node::Make(true, half + (into_left ? 1 : 0));
    split.right = Node::Make(true, kMaxLeaf - half + (into_left ? 0 : 1));
    Append(left, node, 0, half, copy);
    Append(split.right, node, half, kMaxLeaf - half, copy);
    split.key = split.right->keys()[0];
    if (!copy) node->count = 0;
    Drop(node);
    node = left;
    target = into_left ? left : split.right;
    if (!into_left) at -= half;
  } else {
    target = node = Own(node, node->count + 1u);
  }
  OpenGap(target, at);
  target->keys()[at] = key;
  std::construct_at(target->values() + at, std::move(value));
  value = V();
  return split;
}

template <typename V>
V SlotTree<V>::Remove(uint64_t key) {
  if (Find(key) == nullptr) return V();
  V removed = RemoveFrom(root_, key);
  --size_;
  while (!root_->is_leaf && root_->count == 1) {
    Node* const only = root_->children()[0];
    root_->count = 0;  // RemoveFrom has made it unique
    Drop(root_);
    root_ = only;
  }
  if (root_->count == 0) {
    Drop(root_);
    root_ = nullptr;
  }
  return removed;
}

template <typename V>
V SlotTree<V>::RemoveFrom(Node*& node, uint64_t key) {
  node = Own(node, 0);
  if (!node->is_leaf) {
    const uint32_t i = node->ChildOf(key);
    V removed = RemoveFrom(node->children()[i], key);
    Tidy(node, i);
    return removed;
  }
  const uint32_t i = node->LowerBound(key);
  V removed = std::move(node->values()[i]);
  CloseGap(node, i);
  return removed;
}

template <typename V>
size_t SlotTree<V>::MemoryBytes() const {
  return root_ == nullptr ? 0 : BytesOf(root_);
}

template <typename V>
SlotTree<V>::Cursor::Cursor(const SlotTree& tree) {
  if (tree.root_ != nullptr) Descend(tree.root_);
}

template <typename V>
uint64_t SlotTree<V>::Cursor::key() const {
  return leaf_->keys()[index_];
}

template <typename V>
void SlotTree<V>::Cursor::Descend(const Node* node) {
  for (; !node->is_leaf; node = node->children()[0]) {
    KUBE_CHECK(depth_ < kMaxDepth) << "tree is too deep";
    path_[depth_++] = {node, 0};
  }
  leaf_ = node;
  values_ = node->values();
  index_ = 0;
  count_ = node->count;
}

template <typename V>
void SlotTree<V>::Cursor::NextLeaf() {
  leaf_ = nullptr;
  while (depth_ > 0) {
    Step& step = path_[depth_ - 1];
    if (++step.index < step.node->count) {
      Descend(step.node->children()[step.index]);
      return;
    }
    --depth_;
  }
}

template class SlotTree<std::shared_ptr<const void>>;
template class SlotTree<Ref<Posting>>;

}  // namespace kube::listers::internal
