#ifndef APIMACHINERY_CEL_INTERNAL_LISTS_H_
#define APIMACHINERY_CEL_INTERNAL_LISTS_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "apimachinery/cel/internal/budget.h"
#include "apimachinery/cel/value.h"

namespace kube::cel::internal {

// Returns a + b for two lists, as the left one's schema says: see ListKind. Takes constant time for
// lists that are not sets or maps. Returns an error if the list would be too large.
Value AddLists(const Value& a, const Value& b, Budget& budget);

// Returns a list of strings.
Value StringList(absl::Span<const std::string> texts);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_LISTS_H_
