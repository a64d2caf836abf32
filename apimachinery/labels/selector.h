#ifndef APIMACHINERY_LABELS_SELECTOR_H_
#define APIMACHINERY_LABELS_SELECTOR_H_

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/labels/requirement.h"
#include "apimachinery/labels/set.h"
#include "apimachinery/types/lifetime.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_path.h"

namespace kube::labels {

// The value of a label of some object, or nothing if it has none with this key: what objects that
// are no structs of the API have instead of a Map. (labels.Labels)
using LabelLookup = absl::FunctionRef<std::optional<absl::string_view>(absl::string_view key)>;

// Which objects are meant, by their labels: "app=web,tier in (front,back),!canary". An object
// matches that satisfies all requirements. (labels.Selector)
//
//   KUBE_ASSIGN_OR_RETURN(Selector selector, Parse("app=web,tier notin (back)"));
//   if (selector.Matches(pod.metadata.labels)) ...
//
// Matching neither allocates nor parses. A value, which copies by counting a reference; the default
// one is Everything(). Immutable, and thread-safe.
class Selector {
 public:
  Selector() = default;
  // All of these. None: everything.
  explicit Selector(std::vector<Requirement> requirements);

  bool Matches(const Map<String>& labels) const;
  // Of other sources than a Map: see LabelLookup. Called at most once for each requirement.
  //
  //   selector.Matches([&](absl::string_view key) { return object.Label(key); });
  bool Matches(LabelLookup lookup) const;

  // Whether it selects all objects. (Selector.Empty)
  bool empty() const { return rep_ == nullptr; }
  // Whether it is Nothing(). "a,!a", which selects nothing either, is not seen. (MatchesNothing)
  bool MatchesNothing() const { return rep_ != nullptr && rep_->requirements.empty(); }

  // Sorted by key. Of Nothing() there are none: ask MatchesNothing first, where upstream returns
  // selectable = false. They live as long as the selector or a copy of it.
  absl::Span<const Requirement> requirements() const KUBE_LIFETIME_BOUND;

  // Of this and these. Of Nothing() it stays nothing. (Selector.Add)
  [[nodiscard]] Selector Add(std::vector<Requirement> requirements) const;

  // The one value that the label must have: of `key=value` and `key in (value)`. As upstream, only
  // the first requirement of that key is looked at. It lives as long as the selector or a copy.
  std::optional<absl::string_view> RequiresExactMatch(absl::string_view key) const
      KUBE_LIFETIME_BOUND;

  // Canonical: what Parse reads as an equal selector, and what requests carry. "" of everything,
  // and, as upstream, of nothing. (Selector.String)
  std::string ToString() const;

  // Same requirements in the same order; what they mean is not compared.
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

// Matches all objects. (labels.Everything)
Selector Everything();
// Matches none. (labels.Nothing)
Selector Nothing();

// Reads a selector:
//
//   SELECTOR    = [ REQUIREMENT { "," REQUIREMENT } ]
//   REQUIREMENT = [ "!" ] KEY | KEY ( "=" | "==" | "!=" | ">" | "<" ) VALUE
//               | KEY ( "in" | "notin" ) "(" VALUE { "," VALUE } ")"
//
// with white space anywhere between. A VALUE may be empty: "a=", "a in (,b)". "a" asks for the
// label whatever its value; "!a", "a!=b" and "a notin (b)" select objects without it too.
//
// INVALID_ARGUMENT with upstream's message, where `path` stands before what is wrong with keys and
// values; without one it says "<nil>", as upstream's does. (labels.Parse)
absl::StatusOr<Selector> Parse(absl::string_view text, const validation::field::Path& path = {});

// Matches what has each of these labels; an empty or null set, everything. Nothing is checked: a
// server refuses a selector of invalid labels. (labels.SelectorFromSet, SelectorFromValidatedSet,
// ValidatedSetSelector)
Selector SelectorFromSet(const Set& labels);
// The same, and INVALID_ARGUMENT for the first label that is invalid. (ValidatedSelectorFromSet)
absl::StatusOr<Selector> ValidatedSelectorFromSet(const Set& labels);

}  // namespace kube::labels

#endif  // APIMACHINERY_LABELS_SELECTOR_H_
