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

// One condition on a field. (fields.Requirement)
struct Requirement {
  // kEquals or kNotEquals.
  Operator op = Operator::kEquals;
  // "spec.nodeName".
  std::string field = {};
  std::string value = {};

  friend bool operator==(const Requirement&, const Requirement&) = default;
};

// The value of a field of some object, as text; "" of a field that it does not have, which upstream
// does not tell from an empty one. (fields.Fields)
using FieldLookup = absl::FunctionRef<absl::string_view(absl::string_view field)>;

// What a requirement becomes in Transform.
struct FieldValue {
  std::string field = {};
  std::string value = {};
};
using TransformFunc =
    absl::FunctionRef<absl::StatusOr<FieldValue>(absl::string_view field, absl::string_view value)>;

// Which objects are meant, by the values of their fields: "spec.nodeName=node-1,status.phase!=
// Failed". An object matches that satisfies all requirements. (fields.Selector)
//
//   KUBE_ASSIGN_OR_RETURN(Selector selector, ParseSelector("spec.nodeName=node-1"));
//
// Servers know few fields of each kind. On structs of the API, match with a CompiledSelector, which
// knows all. A value, which copies by counting a reference; the default one is Everything().
// Immutable, and thread-safe.
class Selector {
 public:
  Selector() = default;
  // All of these. None: everything.
  explicit Selector(std::vector<Requirement> requirements);

  // Called at most once for each requirement. Neither allocates.
  bool Matches(FieldLookup lookup) const;
  bool Matches(const Map<String>& fields) const;

  // Whether it selects all objects. (Selector.Empty)
  bool empty() const { return rep_ == nullptr; }
  // Whether it is Nothing().
  bool MatchesNothing() const { return rep_ != nullptr && rep_->requirements.empty(); }

  // In their order. Of Nothing() there are none: ask MatchesNothing first. They live as long as the
  // selector or a copy of it.
  absl::Span<const Requirement> requirements() const KUBE_LIFETIME_BOUND;

  // The first value that `field` must have. It lives as long as the selector or a copy.
  std::optional<absl::string_view> RequiresExactMatch(absl::string_view field) const
      KUBE_LIFETIME_BOUND;

  // With each field and value replaced by what `fn` makes of them, and without those of which both
  // become empty. The first error of `fn` is returned.
  absl::StatusOr<Selector> Transform(TransformFunc fn) const;

  // What ParseSelector reads as an equal selector but for the order: "a=b,c!=d", with values
  // escaped. "" of everything, and, as upstream, of nothing.
  std::string ToString() const;

  // Same requirements in the same order.
  friend bool operator==(const Selector& a, const Selector& b);
  friend std::ostream& operator<<(std::ostream& out, const Selector& selector);

 private:
  // Without requirements: nothing matches.
  struct Rep {
    std::vector<Requirement> requirements;
  };
  friend Selector Nothing();

  // Null: everything matches.
  std::shared_ptr<const Rep> rep_;
};

// Matches all objects. (fields.Everything)
Selector Everything();
// Matches none. (fields.Nothing)
Selector Nothing();

// field=value. (fields.OneTermEqualSelector)
Selector OneTermEqualSelector(absl::string_view field, absl::string_view value);
// field!=value. (fields.OneTermNotEqualSelector)
Selector OneTermNotEqualSelector(absl::string_view field, absl::string_view value);
// The requirements of all, one after the other; nothing if one is nothing. (fields.AndSelectors)
Selector AndSelectors(absl::Span<const Selector> selectors);
// field=value of each, by field. (fields.SelectorFromSet)
Selector SelectorFromSet(const Map<String>& fields);

// Reads "a=b,c!=d" ("==" is "="), without white space; in values ",", "=" and "\" stand behind a
// "\". Nothing is known of fields here. Requirements are sorted by their text; one without field
// and value ("=") is none.
//
// INVALID_ARGUMENT with upstream's message. (fields.ParseSelector)
absl::StatusOr<Selector> ParseSelector(absl::string_view text);
// The same and Transform in one. (fields.ParseAndTransformSelector)
absl::StatusOr<Selector> ParseAndTransformSelector(absl::string_view text, TransformFunc fn);

// A value as it stands in a selector's text. (fields.EscapeValue)
std::string EscapeValue(absl::string_view value);
// And back. INVALID_ARGUMENT for "," and "=" without a "\", and for a "\" before anything else. As
// upstream, invalid UTF-8 becomes U+FFFD where anything was escaped. (fields.UnescapeValue)
absl::StatusOr<std::string> UnescapeValue(absl::string_view text);

}  // namespace kube::fields

#endif  // APIMACHINERY_FIELDS_SELECTOR_H_
