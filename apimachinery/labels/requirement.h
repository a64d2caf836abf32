#ifndef APIMACHINERY_LABELS_REQUIREMENT_H_
#define APIMACHINERY_LABELS_REQUIREMENT_H_

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/selection/operator.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_path.h"

namespace kube::labels {

using selection::Operator;

// One condition on a label, "tier in (front,back)": a part of a Selector. (labels.Requirement)
//
//   KUBE_ASSIGN_OR_RETURN(Requirement web, Requirement::Make("app", Operator::kEquals, {"web"}));
//
// Immutable, and thread-safe.
class Requirement {
 public:
  // INVALID_ARGUMENT, with everything that is wrong as upstream says it:
  //   * kIn and kNotIn take at least one value; kEquals, kDoubleEquals and kNotEquals one; kExists
  //     and kDoesNotExist none; kGreaterThan and kLessThan one, an integer;
  //   * the key is a qualified name, the values are values of labels (so that integers are not
  //     negative).
  // `path` stands before "key" and "values[0]" in messages. (labels.NewRequirement)
  static absl::StatusOr<Requirement> Make(absl::string_view key, Operator op,
                                          std::vector<std::string> values,
                                          const validation::field::Path& path = {});

  // key=value of a label that is known to be valid: nothing is checked.
  static Requirement MakeEquals(absl::string_view key, absl::string_view value);

  const String& key() const { return key_; }
  Operator op() const { return op_; }
  // Ascending. One that was given twice is there twice, as upstream.
  const std::vector<String>& values() const { return values_; }

  // Whether a label of this value satisfies it; null: an object that does not have the label, which
  // kNotIn, kNotEquals and kDoesNotExist accept. Neither allocates nor parses the selector's part.
  bool Matches(const String* value) const;
  bool Matches(std::optional<absl::string_view> value) const;

  // What Parse reads again: "a=b", "a in (b,c)", "!a", "a>5". (Requirement.String)
  std::string ToString() const;

  // The order of values does not count, unlike upstream's.
  friend bool operator==(const Requirement&, const Requirement&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Requirement& requirement);

 private:
  Requirement(absl::string_view key, Operator op, std::vector<String> values);

  bool MatchesPresent(absl::string_view value) const;

  String key_;
  Operator op_;
  std::vector<String> values_;
  // Of kGreaterThan and kLessThan.
  int64_t number_ = 0;
};

}  // namespace kube::labels

#endif  // APIMACHINERY_LABELS_REQUIREMENT_H_
