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

// One condition on a label, such as "tier in (front,back)"; a Selector consists of them.
// (client-go: `labels.Requirement`)
//
//   KUBE_ASSIGN_OR_RETURN(Requirement web, Requirement::Make("app", Operator::kEquals, {"web"}));
//   return web.Matches(app);
//
// Immutable and thread-safe.
class Requirement {
 public:
  // Makes a requirement. Returns INVALID_ARGUMENT, with all faults in upstream's words, unless
  // - `values` has at least one element for kIn and kNotIn, one for kEquals, kDoubleEquals and
  //   kNotEquals, none for kExists and kDoesNotExist, and one integer for kGreaterThan and
  //   kLessThan;
  // - the key is a qualified name and each value is a valid label value (so an integer is not
  //   negative).
  // `path` precedes "key" and "values[0]" in the messages. (client-go: `labels.NewRequirement`)
  static absl::StatusOr<Requirement> Make(absl::string_view key, Operator op,
                                          std::vector<std::string> values,
                                          const validation::field::Path& path = {});

  // Makes `key=value` without checks, for a label that is known to be valid.
  static Requirement MakeEquals(absl::string_view key, absl::string_view value);

  const String& key() const { return key_; }
  Operator op() const { return op_; }
  // Returns the values in ascending order, with duplicates kept, as upstream does.
  const std::vector<String>& values() const { return values_; }

  // Returns whether a label with this value satisfies the requirement. Null or nullopt stands for
  // an object without the label, which satisfies kNotIn, kNotEquals and kDoesNotExist. Does not
  // allocate, and does not parse `values()` again.
  bool Matches(const String* value) const;
  bool Matches(std::optional<absl::string_view> value) const;

  // Returns a text that Parse accepts: "a=b", "a in (b,c)", "!a", "a>5".
  // (client-go: `Requirement.String`)
  std::string ToString() const;

  // Compares key, operator and values. Unlike upstream's, it ignores the order of the values.
  friend bool operator==(const Requirement&, const Requirement&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Requirement& requirement);

 private:
  Requirement(absl::string_view key, Operator op, std::vector<String> values);

  bool MatchesPresent(absl::string_view value) const;

  String key_;
  Operator op_;
  std::vector<String> values_;
  // The value of kGreaterThan and kLessThan.
  int64_t number_ = 0;
};

}  // namespace kube::labels

#endif  // APIMACHINERY_LABELS_REQUIREMENT_H_
