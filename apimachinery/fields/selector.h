#ifndef APIMACHINERY_FIELDS_SELECTOR_H_
#define APIMACHINERY_FIELDS_SELECTOR_H_

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/selection/operator.h"
#include "apimachinery/types/lifetime.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"

namespace kube::fields {

using selection::Operator;

// One condition on a field. (client-go: `fields.Requirement`)
struct Requirement {
  // kEquals or kNotEquals.
  Operator op = Operator::kEquals;
  // The path of the field, such as "spec.nodeName".
  std::string field = {};
  std::string value = {};

  friend bool operator==(const Requirement&, const Requirement&) = default;
};

// Returns the value of an object's field as text, or "" if the object does not have it; as
// upstream, an empty value and an absent field are not distinguished. (client-go: `fields.Fields`)
using FieldLookup = absl::FunctionRef<absl::string_view(absl::string_view field)>;

// The field and value that a TransformFunc returns for a requirement.
struct FieldValue {
  std::string field = {};
  std::string value = {};
};
using TransformFunc =
    absl::FunctionRef<absl::StatusOr<FieldValue>(absl::string_view field, absl::string_view value)>;

// Selects objects by the values of their fields, as in "spec.nodeName=node-1,status.phase!=Failed".
// An object matches if it satisfies all requirements. (client-go: `fields.Selector`)
//
//   KUBE_ASSIGN_OR_RETURN(Selector selector, ParseSelector("spec.nodeName=node-1"));
//   return selector.Matches(fields);
//
// Servers support only a few fields of each kind. To match API structs use a CompiledSelector,
// which supports all. A copy shares its requirements. The default selector is Everything().
// Immutable and thread-safe.
class Selector {
 public:
  Selector() = default;
  // Requires all of `requirements`. Without any, it selects everything.
  explicit Selector(std::vector<Requirement> requirements);

  // Returns whether an object matches. Does not allocate. `lookup` is called at most once for each
  // requirement.
  bool Matches(FieldLookup lookup) const;
  bool Matches(const Map<String>& fields) const;

  // Returns whether the selector selects all objects. (client-go: `Selector.Empty`)
  bool empty() const { return rep_ == nullptr; }
  // Returns whether the selector is Nothing().
  bool MatchesNothing() const { return rep_ != nullptr && rep_->requirements.empty(); }

  // Returns the requirements in their order. Empty both for Everything() and for Nothing(): call
  // MatchesNothing first. The result is valid as long as the selector or a copy of it lives.
  // (client-go: `Selector.Requirements`)
  absl::Span<const Requirement> requirements() const KUBE_LIFETIME_BOUND;

  // Returns the first value that `field` must have, or nullopt. The result is valid as long as the
  // selector or a copy of it lives. (client-go: `Selector.RequiresExactMatch`)
  std::optional<absl::string_view> RequiresExactMatch(absl::string_view field) const
      KUBE_LIFETIME_BOUND;

  // Returns a selector in which each field and value is replaced by the result of `fn`. A
  // requirement whose field and value become empty is dropped. Returns the first error of `fn`.
  // (client-go: `Selector.Transform`)
  absl::StatusOr<Selector> Transform(TransformFunc fn) const;

  // Returns a text such as "a=b,c!=d", with values escaped. ParseSelector reads it as a selector
  // with the same requirements, but sorts them. It is "" for Everything() and, as upstream, for
  // Nothing(). (client-go: `Selector.String`)
  std::string ToString() const;

  // Compares the requirements in their order.
  friend bool operator==(const Selector& a, const Selector& b);
  friend std::ostream& operator<<(std::ostream& out, const Selector& selector);

 private:
  // Empty requirements stand for Nothing().
  struct Rep {
    std::vector<Requirement> requirements;
  };
  friend Selector Nothing();

  // Null stands for Everything().
  std::shared_ptr<const Rep> rep_;
};

// Returns a selector that matches all objects. (client-go: `fields.Everything`)
Selector Everything();
// Returns a selector that matches no object. (client-go: `fields.Nothing`)
Selector Nothing();

// Returns the selector `field=value`. (client-go: `fields.OneTermEqualSelector`)
Selector OneTermEqualSelector(absl::string_view field, absl::string_view value);
// Returns the selector `field!=value`. (client-go: `fields.OneTermNotEqualSelector`)
Selector OneTermNotEqualSelector(absl::string_view field, absl::string_view value);
// Returns a selector with the requirements of all `selectors`; Nothing() if one of them is.
// (client-go: `fields.AndSelectors`)
Selector AndSelectors(absl::Span<const Selector> selectors);
// Returns a selector that requires each of `fields`, in the order of their names.
// (client-go: `fields.SelectorFromSet`)
Selector SelectorFromSet(const Map<String>& fields);

// Parses "a=b,c!=d" ("==" means "="), without white space. In a value, "," "=" and "\" must be
// escaped with "\". The names of fields are not checked. The requirements are sorted by their text;
// one without field and value ("=") is dropped.
//
// Returns INVALID_ARGUMENT with upstream's message. (client-go: `fields.ParseSelector`)
absl::StatusOr<Selector> ParseSelector(absl::string_view text);
// Parses a selector and applies Transform to it. Returns the errors of both.
// (client-go: `fields.ParseAndTransformSelector`)
absl::StatusOr<Selector> ParseAndTransformSelector(absl::string_view text, TransformFunc fn);

// Escapes a value for the text of a selector. (client-go: `fields.EscapeValue`)
std::string EscapeValue(absl::string_view value);
// Reverses EscapeValue. Returns INVALID_ARGUMENT for a "," or "=" that is not escaped, and for a
// "\" before any other character. As upstream, invalid UTF-8 becomes U+FFFD in a text that contains
// "\", "," or "=". (client-go: `fields.UnescapeValue`)
absl::StatusOr<std::string> UnescapeValue(absl::string_view text);

}  // namespace kube::fields

#endif  // APIMACHINERY_FIELDS_SELECTOR_H_
