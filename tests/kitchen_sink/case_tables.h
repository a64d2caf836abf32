#ifndef TESTS_KITCHEN_SINK_CASE_TABLES_H_
#define TESTS_KITCHEN_SINK_CASE_TABLES_H_

#include "absl/types/span.h"
#include "tests/kitchen_sink/cases.h"

namespace kube::oracle {

// The parts of KitchenCases, by what they vary.

// null, empty, absent, zero: of each shape of a member, and its name.
absl::Span<const KitchenCase> ShapeCases();

// The text of one value: strings, numbers and the other leaf types.
absl::Span<const KitchenCase> ValueCases();

// The text around values: unknown members and syntax.
absl::Span<const KitchenCase> TextCases();

}  // namespace kube::oracle

#endif  // TESTS_KITCHEN_SINK_CASE_TABLES_H_
