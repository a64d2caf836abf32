#ifndef LISTERS_INTERNAL_SLOT_TREE_H_
#define LISTERS_INTERNAL_SLOT_TREE_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace kube::listers::internal {

// A node of a SlotTree. Its keys and its values or children follow it in memory.
template <typename V>
struct SlotNode;

// A persistent map from 64-bit keys to values: a copy costs one pointer and never changes when the
// original does. It is a B+ tree with shared, reference-counted nodes. A change copies the nodes on
// its path that other trees share and changes the others in place; without other copies it copies
// nothing.
//
// docs/adr/0009-store-as-persistent-tree.md compares it with a hash trie and a table of chunks.
//
// Instantiated for objects and for postings. Thread-compatible; copies may be used and destroyed on
// different threads.
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

  // Builds a tree of minimal size from entries in ascending order with unique keys.
  static SlotTree FromSorted(std::vector<std::pair<uint64_t, V>> entries);

  size_t size() const { return size_; }

  // Returns the value, or null. The pointer is valid until the tree changes.
  const V* Find(uint64_t key) const;
  // Returns the value for a change that affects this tree only, or null.
  V* FindMutable(uint64_t key);

  // Return the previous value, so that the caller chooses where to destroy it, or an empty value.
  V Set(uint64_t key, V value);
  V Remove(uint64_t key);

  // Returns the bytes requested from the allocator. Visits all nodes.
  size_t MemoryBytes() const;

  // Iterates over all entries in the order of keys. Valid while the tree or a copy of it is
  // unchanged.
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
