#ifndef APIMACHINERY_CEL_INTERNAL_PLAN_NODE_H_
#define APIMACHINERY_CEL_INTERNAL_PLAN_NODE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "apimachinery/cel/internal/budget.h"
#include "apimachinery/cel/internal/cost.h"
#include "apimachinery/cel/internal/function.h"
#include "apimachinery/cel/internal/regexp.h"
#include "apimachinery/cel/type.h"
#include "apimachinery/cel/value.h"

// What an expression is compiled to: a tree of nodes that compute values. (cel-go:
// `interpreter.Interpretable`)
namespace kube::cel::internal {

class AttributeNode;
class Node;
using NodePtr = std::unique_ptr<Node>;

// The state of one evaluation. Thread-compatible.
struct Frame {
  // A variable of a loop.
  struct Local {
    Value value;
    // Computes the value when it is first read; then null.
    const Node* initial;
  };

  Budget& budget;
  RegexpCache& regexps;
  // The variables of the environment that the expression refers to.
  std::vector<Value> variables;
  std::vector<Local> locals;
};

// Immutable; thread-safe. All errors are values. Once the budget has stopped, values have no
// meaning, and nodes do little.
class Node {
 public:
  Node() = default;
  virtual ~Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  virtual Value Evaluate(Frame& frame) const = 0;

  // Returns the value if the node always has the same; otherwise null.
  virtual const Value* constant() const { return nullptr; }

  // Returns the node itself if it is one that qualifiers can be added to; otherwise null.
  virtual AttributeNode* attribute() { return nullptr; }
};

// Returns the value if it is an error; otherwise the error of a value that is not the bool that it
// should be.
Value NotBool(const Value& value);

class ConstantNode final : public Node {
 public:
  explicit ConstantNode(Value value) : value_(std::move(value)) {}
  Value Evaluate(Frame&) const override { return value_; }
  const Value* constant() const override { return &value_; }

 private:
  const Value value_;
};

// The operators && and ||. An error does not matter if another operand decides.
class LogicNode final : public Node {
 public:
  // `decisive` is false for &&.
  LogicNode(bool decisive, std::vector<NodePtr> terms)
      : decisive_(decisive), terms_(std::move(terms)) {}
  Value Evaluate(Frame& frame) const override;

 private:
  const bool decisive_;
  const std::vector<NodePtr> terms_;
};

// The operators == and !=.
class EqualNode final : public Node {
 public:
  EqualNode(bool negated, NodePtr left, NodePtr right)
      : negated_(negated), left_(std::move(left)), right_(std::move(right)) {}
  Value Evaluate(Frame& frame) const override;

 private:
  const bool negated_;
  const NodePtr left_;
  const NodePtr right_;
};

// What the loops of all and exists ask: whether it is anything but false, be it an error.
class NotFalseNode final : public Node {
 public:
  explicit NotFalseNode(NodePtr operand) : operand_(std::move(operand)) {}
  Value Evaluate(Frame& frame) const override;

 private:
  const NodePtr operand_;
};

// The methods or and orValue of optional values.
class OptionalOrNode final : public Node {
 public:
  OptionalOrNode(bool unwrap, NodePtr optional, NodePtr other)
      : unwrap_(unwrap), optional_(std::move(optional)), other_(std::move(other)) {}
  Value Evaluate(Frame& frame) const override;

 private:
  const bool unwrap_;
  const NodePtr optional_;
  const NodePtr other_;
};

// The operator `in` for a list of constants.
class MemberNode final : public Node {
 public:
  // `keys` are the KeyText of the elements.
  MemberNode(NodePtr element, absl::flat_hash_set<std::string> keys)
      : element_(std::move(element)), keys_(std::move(keys)) {}
  Value Evaluate(Frame& frame) const override;

 private:
  const NodePtr element_;
  const absl::flat_hash_set<std::string> keys_;
};

// Any other call.
class CallNode final : public Node {
 public:
  // `overload` is null if the arguments decide; `regexp` is the compiled pattern, or null.
  CallNode(const Function& function, const Overload* overload, std::vector<NodePtr> arguments,
           std::shared_ptr<const Regexp> regexp);
  Value Evaluate(Frame& frame) const override;

 private:
  const Function& function_;
  const Overload* const overload_;
  const CostRule cost_;
  const std::vector<NodePtr> arguments_;
  const bool stops_early_;
  const std::shared_ptr<const Regexp> regexp_;
};

class ListNode final : public Node {
 public:
  ListNode(std::vector<NodePtr> elements, std::vector<bool> optional)
      : elements_(std::move(elements)), optional_(std::move(optional)) {}
  Value Evaluate(Frame& frame) const override;

 private:
  Value Build(Frame& frame) const;

  const std::vector<NodePtr> elements_;
  const std::vector<bool> optional_;
};

class MapNode final : public Node {
 public:
  // `entries` are keys and values in turn; `optional` has one element for each entry.
  MapNode(std::vector<NodePtr> entries, std::vector<bool> optional)
      : entries_(std::move(entries)), optional_(std::move(optional)) {}
  Value Evaluate(Frame& frame) const override;

 private:
  Value Build(Frame& frame) const;

  const std::vector<NodePtr> entries_;
  const std::vector<bool> optional_;
};

// An object such as Object.spec{replicas: 3}.
class ObjectNode final : public Node {
 public:
  // `fields`, `values` and `optional` have one element for each field.
  ObjectNode(TypePtr type, std::vector<std::string> fields, std::vector<NodePtr> values,
             std::vector<bool> optional)
      : type_(std::move(type)),
        fields_(std::move(fields)),
        values_(std::move(values)),
        optional_(std::move(optional)) {}
  Value Evaluate(Frame& frame) const override;

 private:
  Value Build(Frame& frame) const;

  const TypePtr type_;
  const std::vector<std::string> fields_;
  const std::vector<NodePtr> values_;
  const std::vector<bool> optional_;
};

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_PLAN_NODE_H_
