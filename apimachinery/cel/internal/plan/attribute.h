#ifndef APIMACHINERY_CEL_INTERNAL_PLAN_ATTRIBUTE_H_
#define APIMACHINERY_CEL_INTERNAL_PLAN_ATTRIBUTE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "apimachinery/cel/internal/plan/node.h"
#include "apimachinery/cel/value.h"

// Variables, fields and indices: a.b[0].c is one node. (cel-go: `interpreter.Attribute`)
namespace kube::cel::internal {

// A step from a value to a part of it.
struct Qualifier {
  // The field or the index if it is constant; then `index` is null.
  Value constant = {};
  NodePtr index = nullptr;
  // Whether the part may be absent, so that the result is an optional value.
  bool optional = false;
  // Whether only the presence matters; for the last one.
  bool test_only = false;
};
using QualifierPtr = std::shared_ptr<const Qualifier>;

// A node that qualifiers can be added to, while a program is planned.
class AttributeNode : public Node {
 public:
  virtual void AddQualifier(QualifierPtr qualifier) = 0;
  // As part of another attribute, the node costs nothing but its qualifiers.
  virtual void BecomePart() = 0;

  AttributeNode* attribute() final { return this; }
};

// A first value, and the steps from it.
class PathNode : public AttributeNode {
 public:
  void AddQualifier(QualifierPtr qualifier) override;
  void BecomePart() override { base_cost_ = 0; }
  Value Evaluate(Frame& frame) const override;

 private:
  virtual Value First(Frame& frame) const = 0;
  Value Walk(Value value, Frame& frame) const;

  std::vector<QualifierPtr> qualifiers_;
  uint64_t base_cost_ = 1;
  bool test_only_ = false;
};

// A variable of the environment.
class VariableNode final : public PathNode {
 public:
  explicit VariableNode(size_t index) : index_(index) {}

 private:
  Value First(Frame& frame) const override { return frame.variables[index_]; }

  const size_t index_;
};

// A variable of a loop.
class LocalNode final : public PathNode {
 public:
  explicit LocalNode(size_t slot) : slot_(slot) {}

 private:
  Value First(Frame& frame) const override;

  const size_t slot_;
};

// The value of another node.
class RelativeNode final : public PathNode {
 public:
  explicit RelativeNode(NodePtr operand) : operand_(std::move(operand)) {}

 private:
  Value First(Frame& frame) const override { return operand_->Evaluate(frame); }

  const NodePtr operand_;
};

// The operator ?:. Steps from it are steps from both of its values.
class ConditionalNode final : public AttributeNode {
 public:
  ConditionalNode(NodePtr condition, NodePtr if_true, NodePtr if_false);
  void AddQualifier(QualifierPtr qualifier) override;
  void BecomePart() override {}
  Value Evaluate(Frame& frame) const override;

 private:
  const NodePtr condition_;
  const NodePtr if_true_;
  const NodePtr if_false_;
};

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_PLAN_ATTRIBUTE_H_
