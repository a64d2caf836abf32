#ifndef APIMACHINERY_JSONPATH_INTERNAL_NODE_H_
#define APIMACHINERY_JSONPATH_INTERNAL_NODE_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "apimachinery/unstructured/value.h"

// What a path is compiled to: upstream's nodes, as far as they are supported.
namespace kube::jsonpath::internal {

struct Node;
using Nodes = std::vector<Node>;

// .name
struct FieldNode {
  std::string name;
};

// .*
struct WildcardNode {};

// [begin:end:step], and [begin].
struct SliceNode {
  struct Bound {
    bool known = false;
    int64_t value = 0;
  };
  Bound begin;
  Bound end;
  Bound step;
  bool single = false;  // [begin]: `end` was derived from it
};

// [?(left op right)]; `op` is "exists" where there is only the left.
struct FilterNode {
  Nodes left;
  Nodes right;
  std::string op;
};

// "text", 5, 1.5, true: in filters.
struct LiteralNode {
  unstructured::Value value;
};

struct Node {
  std::variant<FieldNode, WildcardNode, SliceNode, FilterNode, LiteralNode> node;
};

}  // namespace kube::jsonpath::internal

#endif  // APIMACHINERY_JSONPATH_INTERNAL_NODE_H_
