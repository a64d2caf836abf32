#ifndef LISTERS_INTERNAL_SLOT_TREE_H_
#define LISTERS_INTERNAL_SLOT_TREE_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace kube::listers::internal {

// A node of a SlotTree: its keys, and then as many values or children, are behind it.
template <typename V>
struct SlotNode;

// A persistent map from 64-bit keys to values: copying takes a pointer, and a copy never changes
// when the original does. It is a B+ tree whose nodes are shared and counted. A change copies the
// nodes on its path that other trees have too, and changes the rest in place: without copies about,
// nothing is copied but the one value.
//
// Why so, and not a hash trie, or a table of chunks: docs/adr/0009-store-as-persistent-tree.md.
//
// Two instantiations exist: of objects and of postings. Thread-compatible: copies may be used and
// destroyed on different threads.
template <typename V>
class SlotTree {
 public:
  using Node = SlotNode<V>;

  SlotTree() = default;
  SlotTree(const SlotTree& other);
  SlotTree(SlotTree&& other) noexcept
      : root_(std::exchange(other.root_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  SlotTree& operator=(SlotTree other) noexcept {
    std::swap(root_, other.root_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~SlotTree();

  // Of entries in ascending order, no key twice: as small as can be.
  static SlotTree FromSorted(std::vector<std::pair<uint64_t, V>> entries);

  size_t size() const { return size_; }

  // Null: no such key. Good until the tree changes.
  const V* Find(uint64_t key) const;
  // The same, to change the value in this tree alone.
  V* FindMutable(uint64_t key);

  // Returns the value that was there, for the caller to destroy where it suits; empty if none was.
  V Set(uint64_t key, V value);
  V Remove(uint64_t key);

  // What the nodes take, as asked from the allocator. Looks at each node.
  size_t MemoryBytes() const;

  // All entries, by key. Good while the tree, or a copy of it, lives unchanged.
  class Cursor {
   public:
    Cursor() = default;
    explicit Cursor(const SlotTree& tree);

    bool done() const { return leaf_ == nullptr; }
    uint64_t key() const;
    const V& value() const { return values_[index_]; }
    void Next() {
      if (++index_ == count_) NextLeaf();
    }

   private:
    friend class SlotTree;
    static constexpr int kMaxDepth = 16;
    struct Step {
      const Node* node;
      uint32_t index;
    };

    void Descend(const Node* node);
    void NextLeaf();

    const Node* leaf_ = nullptr;
    const V* values_ = nullptr;
    uint32_t index_ = 0;
    uint32_t count_ = 0;
    int depth_ = 0;
    Step path_[kMaxDepth];
  };

 private:
  struct Split;

  static Split Insert(Node*& node, uint64_t key, V& value, bool& added);
  static Split InsertIntoLeaf(Node*& node, uint64_t key, V& value, bool& added);
  static V RemoveFrom(Node*& node, uint64_t key);

  Node* root_ = nullptr;
  size_t size_ = 0;
};

}  // namespace kube::listers::internal

#endif  // LISTERS_INTERNAL_SLOT_TREE_H_
