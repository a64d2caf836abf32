#ifndef APIMACHINERY_JSONPATH_INTERNAL_NODE_H_
#define APIMACHINERY_JSONPATH_INTERNAL_NODE_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "apimachinery/unstructured/value.h"

// The compiled form of a path or template. The nodes are upstream's.
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

// A constant: "text", 5, 1.5 or true. Text outside of the braces of a template is one, too.
struct LiteralNode {
  unstructured::Value value;
};

// ..
struct RecursiveNode {};

// [branch,branch]
struct UnionNode {
  std::vector<Nodes> branches;
};

// A word: range, end, or one that has no meaning, which is an error only when it is evaluated.
struct IdentifierNode {
  std::string name;
};

struct Node {
  std::variant<FieldNode, WildcardNode, SliceNode, FilterNode, LiteralNode, RecursiveNode,
               UnionNode, IdentifierNode>
      node;
};

// The actions of a template, and the texts between them, in their order.
using Actions = std::vector<Nodes>;

}  // namespace kube::jsonpath::internal

#endif  // APIMACHINERY_JSONPATH_INTERNAL_NODE_H_
