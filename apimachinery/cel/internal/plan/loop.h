#ifndef APIMACHINERY_CEL_INTERNAL_PLAN_LOOP_H_
#define APIMACHINERY_CEL_INTERNAL_PLAN_LOOP_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/functional/function_ref.h"
#include "apimachinery/cel/internal/plan/node.h"
#include "apimachinery/cel/value.h"

// Loops: see Comprehension in ast.h.
namespace kube::cel::internal {

// The variables of a loop: indices of Frame::locals.
struct LoopVariables {
  size_t accumulator = 0;
  size_t first = 0;
  // The second variable, if there is one.
  std::optional<size_t> second = {};
};

// A loop that computes its result step by step. (cel-go: `interpreter.evalFold`)
class LoopNode final : public Node {
 public:
  struct Parts {
    NodePtr range;
    NodePtr initial;
    NodePtr condition;
    NodePtr step;
    NodePtr result;
  };

  LoopNode(LoopVariables variables, Parts parts)
      : variables_(variables), parts_(std::move(parts)) {}
  Value Evaluate(Frame& frame) const override;

 private:
  const LoopVariables variables_;
  const Parts parts_;
};

// A loop that collects elements in a list, or entries in a map: what map, filter and transformMap
// expand to. It has the result and the cost of the LoopNode, but does not copy what it has
// collected with each step.
class CollectNode final : public Node {
 public:
  enum class Kind : uint8_t {
    kElement,  // appends a value to a list
    kEntry,    // adds a value to a map; its key is the first variable
    kEntries,  // adds all entries of a map
  };
  struct Parts {
    NodePtr range;
    NodePtr filter;  // null if everything is collected
    NodePtr value;
  };

  CollectNode(Kind kind, LoopVariables variables, Parts parts)
      : kind_(kind), variables_(variables), parts_(std::move(parts)) {}
  Value Evaluate(Frame& frame) const override;

 private:
  class Collection;

  void Step(Frame& frame, Collection& collection) const;

  const Kind kind_;
  const LoopVariables variables_;
  const Parts parts_;
};

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_PLAN_LOOP_H_
