#include "apimachinery/managedfields/comparison.h"

#include "apimachinery/managedfields/field_set.h"

namespace kube::managedfields {

Comparison Comparison::Filter(const FieldFilter& filter) const {
  return {.removed = filter.Apply(removed),
          .modified = filter.Apply(modified),
          .added = filter.Apply(added)};
}

}  // namespace kube::managedfields
