#ifndef TESTS_KITCHEN_SINK_CASES_H_
#define TESTS_KITCHEN_SINK_CASES_H_

#include <vector>

#include "absl/strings/string_view.h"

namespace kube::oracle {

// One JSON text, as one of the types of the kitchen sink, with what Go makes of it.
struct KitchenCase {
  // "Times: leap second": the subject, a colon, and what is particular. Unique.
  absl::string_view name;
  // As in the IDL: "EmptyOrZero".
  absl::string_view type;
  // May be broken: bytes that are no UTF-8, NUL, a syntax error.
  absl::string_view json;
  // What Go writes of what it has read, byte for byte; empty where it refuses `json`.
  absl::string_view want;
};

// Five hundred of them, by subject: presence (null, [], "", absent), lists, maps, structs and
// inline structs, names, strings, numbers, each leaf type, raw values, JSON forms, kinds, unknown
// members, syntax, depth. For tests of anything that reads what JSON says; a test of Go's answers
// is beside it, so that these hold without Go. `name` begins the message of whatever fails:
//
//   for (const KitchenCase& c : KitchenCases()) {
//     SCOPED_TRACE(std::string(c.name));
//     ...
//   }
std::vector<KitchenCase> KitchenCases();

}  // namespace kube::oracle

#endif  // TESTS_KITCHEN_SINK_CASES_H_
