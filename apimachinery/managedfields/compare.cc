#include "apimachinery/managedfields/compare.h"

#include <utility>

#include "absl/status/statusor.h"
#include "apimachinery/base/status.h"
#include "apimachinery/managedfields/comparison.h"
#include "apimachinery/managedfields/internal/value_comparer.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields {

using unstructured::Value;

absl::StatusOr<Comparison> Compare(const Value& old_value, const Value& new_value,
                                   const Schema& schema) {
  internal::ValueComparer comparer;
  // Nobody owns the object as a whole: whether it is modified itself does not count.
  internal::Difference found = comparer.CompareBoth(old_value, new_value, schema);
  KUBE_RETURN_IF_ERROR(comparer.ToStatus());
  return std::move(found.below);
}

}  // namespace kube::managedfields
