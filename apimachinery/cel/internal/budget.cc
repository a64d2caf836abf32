#include "apimachinery/cel/internal/budget.h"

#include <limits>
#include <string>
#include <utility>

namespace kube::cel::internal {
namespace {

// Far more than an evaluation within the limits of an API server needs; about a second.
constexpr uint64_t kMaxWork = 200'000'000;
constexpr uint64_t kStepsBetweenChecks = 16'384;

uint64_t AddCapped(uint64_t a, uint64_t b) {
  return b > std::numeric_limits<uint64_t>::max() - a ? std::numeric_limits<uint64_t>::max()
                                                      : a + b;
}

}  // namespace

bool Budget::Charge(uint64_t cost) {
  if (failed()) return false;
  last_charge_ = cost;
  cost_ = AddCapped(cost_, cost);
  if (cost_ > cost_limit_ && !stopped()) stop_ = Stop::kCost;
  return !stopped();
}

bool Budget::Work(uint64_t steps) {
  work_ = AddCapped(work_, steps);
  if (work_ > kMaxWork && !stopped()) stop_ = Stop::kCost;
  if (work_ >= next_check_) {
    next_check_ = AddCapped(work_, kStepsBetweenChecks);
    return CheckContext();
  }
  return !stopped();
}

bool Budget::CheckContext() {
  if (!stopped() && context_.done()) stop_ = Stop::kInterrupted;
  return !stopped();
}

void Budget::Fail(std::string error) {
  if (stopped()) return;
  stop_ = Stop::kFailed;
  cost_ -= last_charge_;
  error_ = std::move(error);
}

Value Budget::StopError() const {
  if (failed()) return Value::Error(error_);
  return Value::Error(interrupted() ? "operation interrupted"
                                    : "operation cancelled: actual cost limit exceeded");
}

}  // namespace kube::cel::internal
