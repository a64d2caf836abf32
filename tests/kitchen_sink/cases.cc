#include "tests/kitchen_sink/cases.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tests/kitchen_sink/case_tables.h"

namespace kube::oracle {
namespace {

// Returns `core` with `depth` times `open` before it and `close` after it.
std::string Nested(int depth, absl::string_view open, absl::string_view core,
                   absl::string_view close) {
  std::string text;
  for (int i = 0; i < depth; ++i) text.append(open.data(), open.size());
  text.append(core.data(), core.size());
  for (int i = 0; i < depth; ++i) text.append(close.data(), close.size());
  return text;
}

std::string Lists(int depth) { return Nested(depth, "[", "", "]"); }

// Go's limit is 10,000 lists and objects, the outermost one included.
std::vector<KitchenCase> DeepCases() {
  static const std::string kUnknown = absl::StrCat("{\"a\":", Lists(9999), "}");
  static const std::string kUnknownTooDeep = absl::StrCat("{\"a\":", Lists(10000), "}");
  static const std::string kRaw = absl::StrCat("{\"rawJson\":", Lists(9999), "}");
  static const std::string kRawTooDeep = absl::StrCat("{\"rawJson\":", Lists(10000), "}");
  static const std::string kStructs = Nested(100, R"({"two":{"three":{"again":)", "{}", "}}}");
  static const std::string kStructsWant =
      Nested(100, R"({"two":{"three":{"again":)", R"({"two":{}})", "}}}");
  return {
      {"Depth: 10000, in an unknown member", "EmptyOrZero", kUnknown, "{}"},
      {"Depth: 10001, in an unknown member", "EmptyOrZero", kUnknownTooDeep, ""},
      {"Depth: 10000, in a raw value", "Zero", kRaw, kRaw},
      {"Depth: 10001, in a raw value", "Zero", kRawTooDeep, ""},
      {"Depth: 301, of structs", "DeepOne", kStructs, kStructsWant},
  };
}

}  // namespace

std::vector<KitchenCase> KitchenCases() {
  std::vector<KitchenCase> cases = DeepCases();
  for (absl::Span<const KitchenCase> table : {ShapeCases(), ValueCases(), TextCases()}) {
    cases.insert(cases.end(), table.begin(), table.end());
  }
  return cases;
}

}  // namespace kube::oracle
