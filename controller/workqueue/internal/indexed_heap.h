#ifndef CONTROLLER_WORKQUEUE_INTERNAL_INDEXED_HEAP_H_
#define CONTROLLER_WORKQUEUE_INTERNAL_INDEXED_HEAP_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "controller/workqueue/internal/block_pool.h"

namespace kube::workqueue::internal {

// A heap whose members know where they are, so that they can be moved and taken out. Four below
// each: the children of a node are one cache line.
//
// `Order` has Less(a, b), and Moved(ref, index), which is told of each new place.
// Thread-compatible.
template <typename Order>
class IndexedHeap {
 public:
  struct Node {
    uint64_t key = 0;
    uint32_t tie = 0;  // what Order makes of it
    Ref ref = kNowhere;
  };

  explicit IndexedHeap(Order order) : order_(order) {}

  bool empty() const { return nodes_.empty(); }
  size_t size() const { return nodes_.size(); }
  const Node& top() const { return nodes_.front(); }
  const std::vector<Node>& nodes() const { return nodes_; }
  const Node& at(uint32_t index) const { return nodes_[index]; }

  void Push(Node node) {
    nodes_.push_back(node);
    Up(nodes_.size() - 1, node);
  }

  void Pop() { Remove(0); }

  void Remove(uint32_t index) {
    const Node last = nodes_.back();
    nodes_.pop_back();
    if (index < nodes_.size()) Place(index, last);
  }

  // The member at `index` has another key, or tie.
  void Change(uint32_t index, Node node) { Place(index, node); }

  void Clear() { nodes_ = std::vector<Node>(); }  // gives the memory back

 private:
  static constexpr size_t kFan = 4;

  void Set(size_t index, Node node) {
    nodes_[index] = node;
    order_.Moved(node.ref, static_cast<uint32_t>(index));
  }

  // `node` goes to `index`, or where it belongs above or below it.
  void Place(size_t index, Node node) {
    if (index > 0 && order_.Less(node, nodes_[(index - 1) / kFan])) {
      Up(index, node);
    } else {
      Down(index, node);
    }
  }

  void Up(size_t index, Node node) {
    while (index > 0) {
      const size_t parent = (index - 1) / kFan;
      if (!order_.Less(node, nodes_[parent])) break;
      Set(index, nodes_[parent]);
      index = parent;
    }
    Set(index, node);
  }

  void Down(size_t index, Node node) {
    for (;;) {
      const size_t first = index * kFan + 1;
      if (first >= nodes_.size()) break;
      size_t least = first;
      const size_t end = std::min(first + kFan, nodes_.size());
      for (size_t child = first + 1; child < end; ++child) {
        if (order_.Less(nodes_[child], nodes_[least])) least = child;
      }
      if (!order_.Less(nodes_[least], node)) break;
      Set(index, nodes_[least]);
      index = least;
    }
    Set(index, node);
  }

  Order order_;
  std::vector<Node> nodes_;
};

}  // namespace kube::workqueue::internal

#endif  // CONTROLLER_WORKQUEUE_INTERNAL_INDEXED_HEAP_H_
