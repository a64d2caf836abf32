#ifndef TESTS_KITCHEN_SINK_CASES_H_
#define TESTS_KITCHEN_SINK_CASES_H_

#include <vector>

#include "absl/strings/string_view.h"

namespace kube::oracle {

// A JSON text for a type of the kitchen sink, and what Go makes of it.
struct KitchenCase {
  // A unique name with the subject and the detail, such as "Times: leap second".
  absl::string_view name;
  // The name in the IDL, such as "EmptyOrZero".
  absl::string_view type;
  // May be invalid: bytes that are not UTF-8, NUL, a syntax error.
  absl::string_view json;
  // The exact JSON that Go writes for the decoded value. Empty if Go rejects `json`.
  absl::string_view want;
};

// Returns about 500 cases, by subject: presence (null, [], "", absent), lists, maps, structs and
// inline structs, names, strings, numbers, each leaf type, raw values, JSON forms, kinds, unknown
// members, syntax, depth. They are for tests of anything that decodes JSON, and hold without Go:
// cases_test checks them against it. Use `name` to identify failures:
//
//   for (const KitchenCase& c : KitchenCases()) {
//     SCOPED_TRACE(std::string(c.name));
//     ...
//   }
std::vector<KitchenCase> KitchenCases();

}  // namespace kube::oracle

#endif  // TESTS_KITCHEN_SINK_CASES_H_
