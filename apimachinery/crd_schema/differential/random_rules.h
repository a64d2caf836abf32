#ifndef APIMACHINERY_CRD_SCHEMA_DIFFERENTIAL_RANDOM_RULES_H_
#define APIMACHINERY_CRD_SCHEMA_DIFFERENTIAL_RANDOM_RULES_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "tests/dice.h"

namespace kube::oracle {

// Adds random x-kubernetes-validations to schemas: rules that hold for about half of the values, as
// they fit the types. Some name members that do not exist. Their errors contain no names
// that upstream invents for each schema, and do not depend on the order of a Go map. The same seed
// makes the same rules. Thread-compatible.
class RuleMaker {
 public:
  explicit RuleMaker(uint64_t seed) : dice_(seed) {}

  // Adds rules to the schema of a resource and to those of its parts. Of the places where there can
  // be rules, about one in `one_in` gets some.
  void AddRules(Map<unstructured::Value>& schema, size_t one_in = 2);

 private:
  bool OneIn(size_t n) { return dice_.Below(n) == 0; }
  absl::string_view Pick(absl::Span<const absl::string_view> texts) {
    return texts[dice_.Below(texts.size())];
  }
  void AddTo(unstructured::Value& schema, bool is_root, size_t one_in);
  unstructured::Value Rule(const unstructured::Value& schema, bool is_root);
  std::string Expression(const unstructured::Value& schema, bool is_root);
  std::string ObjectExpression(const unstructured::Value& schema, bool is_root);
  std::string MessageExpression(absl::string_view type);

  Dice dice_;
};

}  // namespace kube::oracle

#endif  // APIMACHINERY_CRD_SCHEMA_DIFFERENTIAL_RANDOM_RULES_H_
