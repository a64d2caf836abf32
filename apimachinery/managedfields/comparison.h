#ifndef APIMACHINERY_MANAGEDFIELDS_COMPARISON_H_
#define APIMACHINERY_MANAGEDFIELDS_COMPARISON_H_

#include "apimachinery/managedfields/field_set.h"

namespace kube::managedfields {

// How two objects differ (structured-merge-diff: `typed.Comparison`).
struct Comparison {
  FieldSet removed = {};   // only in the old object
  FieldSet modified = {};  // in both, with different values
  FieldSet added = {};     // only in the new object

  bool IsSame() const { return removed.empty() && modified.empty() && added.empty(); }
  // Returns the comparison without the fields that `filter` keeps from being owned.
  Comparison Filter(const FieldFilter& filter) const;

  friend bool operator==(const Comparison&, const Comparison&) = default;
};

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_COMPARISON_H_
