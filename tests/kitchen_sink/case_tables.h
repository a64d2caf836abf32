#ifndef TESTS_KITCHEN_SINK_CASE_TABLES_H_
#define TESTS_KITCHEN_SINK_CASE_TABLES_H_

#include "absl/types/span.h"
#include "tests/kitchen_sink/cases.h"

namespace kube::oracle {

// The parts of KitchenCases, by what they vary.

// Returns cases about null, empty, absent and zero, for each shape of a member and for its name.
absl::Span<const KitchenCase> ShapeCases();

// Returns cases about the text of one value: strings, numbers and the other leaf types.
absl::Span<const KitchenCase> ValueCases();

// Returns cases about the text around values: unknown members and syntax.
absl::Span<const KitchenCase> TextCases();

}  // namespace kube::oracle

#endif  // TESTS_KITCHEN_SINK_CASE_TABLES_H_
