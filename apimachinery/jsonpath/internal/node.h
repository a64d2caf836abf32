#ifndef APIMACHINERY_JSONPATH_INTERNAL_NODE_H_
#define APIMACHINERY_JSONPATH_INTERNAL_NODE_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "apimachinery/unstructured/value.h"

// The compiled form of a path. The nodes are upstream's, as far as they are supported.
namespace kube::jsonpath::internal {

struct Node;
using Nodes = std::vector<Node>;

// .name
struct FieldNode {
  std::string name;
};

// .*
struct WildcardNode {};

// [begin:end:step], or [begin].
struct SliceNode {
  struct Bound {
    bool known = false;
    int64_t value = 0;
  };
  Bound begin;
  Bound end;
  Bound step;
  bool single = false;  // [begin], with `end` derived
};

// [?(left op right)]; `op` is "exists" if there is only `left`.
struct FilterNode {
  Nodes left;
  Nodes right;
  std::string op;
};

// A constant in a filter: "text", 5, 1.5 or true.
struct LiteralNode {
  unstructured::Value value;
};

struct Node {
  std::variant<FieldNode, WildcardNode, SliceNode, FilterNode, LiteralNode> node;
};

}  // namespace kube::jsonpath::internal

#endif  // APIMACHINERY_JSONPATH_INTERNAL_NODE_H_
