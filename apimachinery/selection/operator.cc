#include "apimachinery/selection/operator.h"

#include <cstddef>
#include <ostream>

namespace kube::selection {
namespace {

constexpr absl::string_view kTexts[] = {"!", "=", "==", "in", "!=", "notin", "exists", "gt", "lt"};

}  // namespace

absl::string_view ToString(Operator op) { return kTexts[static_cast<size_t>(op)]; }

std::ostream& operator<<(std::ostream& out, Operator op) { return out << ToString(op); }

}  // namespace kube::selection
