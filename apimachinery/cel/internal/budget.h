#ifndef APIMACHINERY_CEL_INTERNAL_BUDGET_H_
#define APIMACHINERY_CEL_INTERNAL_BUDGET_H_

#include <cstdint>
#include <string>

#include "apimachinery/base/context.h"
#include "apimachinery/cel/value.h"

namespace kube::cel::internal {

// Limits one evaluation: its cost in cel-go's units, and its work, which also counts what costs
// nothing there, such as comparing the elements of a list of type dyn. Once a limit is exceeded,
// or the context is done, it stays so, and the evaluation ends. Thread-compatible.
class Budget {
 public:
  // `context` must outlive the budget.
  Budget(const Context& context, uint64_t cost_limit)
      : context_(context), cost_limit_(cost_limit) {}
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  // Add to the cost or the work. Return whether the evaluation may go on.
  bool Charge(uint64_t cost);
  bool Work(uint64_t steps = 1);
  // Asks the context. Returns whether the evaluation may go on.
  bool CheckContext();
  // Ends the evaluation as a panic does in Go: with an error that no operator hides. The call that
  // fails, which was charged last, costs nothing.
  void Fail(std::string error);

  bool stopped() const { return stop_ != Stop::kNo; }
  bool interrupted() const { return stop_ == Stop::kInterrupted; }
  bool failed() const { return stop_ == Stop::kFailed; }
  // Returns the error of an evaluation that was stopped.
  Value StopError() const;
  uint64_t cost() const { return cost_; }

 private:
  enum class Stop : uint8_t { kNo, kCost, kInterrupted, kFailed };

  const Context& context_;
  const uint64_t cost_limit_;
  uint64_t cost_ = 0;
  uint64_t last_charge_ = 0;
  uint64_t work_ = 0;
  uint64_t next_check_ = 0;
  Stop stop_ = Stop::kNo;
  std::string error_;
};

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_BUDGET_H_
