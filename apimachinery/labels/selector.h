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

// Returns the value of an object's label, or nullopt if the object has no label with this key. For
// objects that are not API structs, and so have no Map. (client-go: `labels.Labels`)
using LabelLookup = absl::FunctionRef<std::optional<absl::string_view>(absl::string_view key)>;

// Selects objects by their labels, as in "app=web,tier in (front,back),!canary". An object matches
// if it satisfies all requirements. (client-go: `labels.Selector`)
//
//   KUBE_ASSIGN_OR_RETURN(Selector selector, Parse("app=web,tier notin (back)"));
//   return selector.Matches(pod.metadata.labels);
//
// Matching does not allocate or parse. A copy shares its requirements. The default selector is
// Everything(). Immutable and thread-safe.
class Selector {
 public:
  Selector() = default;
  // Requires all of `requirements`. Without any, it selects everything.
  explicit Selector(std::vector<Requirement> requirements);

  bool Matches(const Map<String>& labels) const;
  // Matches an object whose labels are not in a Map. `lookup` is called at most once for each
  // requirement.
  //
  //   const auto lookup = [&](absl::string_view key) -> std::optional<absl::string_view> {
  //     const auto found = labels.find(std::string(key));
  //     if (found == labels.end()) return std::nullopt;
  //     return found->second;
  //   };
  bool Matches(LabelLookup lookup) const;

  // Returns whether the selector selects all objects. (client-go: `Selector.Empty`)
  bool empty() const { return rep_ == nullptr; }
  // Returns whether the selector is Nothing(). Contradictions such as "a,!a" are not recognized.
  bool MatchesNothing() const { return rep_ != nullptr && rep_->requirements.empty(); }

  // Returns the requirements, sorted by key. Empty both for Everything() and for Nothing(): call
  // MatchesNothing first, where upstream returns `selectable` = false. The result is valid as long
  // as the selector or a copy of it lives. (client-go: `Selector.Requirements`)
  absl::Span<const Requirement> requirements() const KUBE_LIFETIME_BOUND;

  // Returns a selector with these requirements in addition. Nothing() stays Nothing().
  // (client-go: `Selector.Add`)
  [[nodiscard]] Selector Add(std::vector<Requirement> requirements) const;

  // Returns the value that the label must have, for `key=value` and `key in (value)`. As upstream,
  // looks only at the first requirement for that key. The result is valid as long as the selector
  // or a copy of it lives. (client-go: `Selector.RequiresExactMatch`)
  std::optional<absl::string_view> RequiresExactMatch(absl::string_view key) const
      KUBE_LIFETIME_BOUND;

  // Returns the canonical text, which Parse reads as an equal selector and which requests contain.
  // It is "" for Everything() and, as upstream, for Nothing(). (client-go: `Selector.String`)
  std::string ToString() const;

  // Compares the requirements in their order, not the sets of objects that they select.
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

// Returns a selector that matches all objects. (client-go: `labels.Everything`)
Selector Everything();
// Returns a selector that matches no object. (client-go: `labels.Nothing`)
Selector Nothing();

// Parses a selector:
//
//   SELECTOR    = [ REQUIREMENT { "," REQUIREMENT } ]
//   REQUIREMENT = [ "!" ] KEY | KEY ( "=" | "==" | "!=" | ">" | "<" ) VALUE
//               | KEY ( "in" | "notin" ) "(" VALUE { "," VALUE } ")"
//
// White space may stand between any two tokens. A VALUE may be empty: "a=", "a in (,b)". "a"
// requires the label with any value; "!a", "a!=b" and "a notin (b)" also match objects without the
// label.
//
// Returns INVALID_ARGUMENT with upstream's message. `path` precedes the faults of keys and values
// in it; without a path the message says "<nil>", as upstream's does. (client-go: `labels.Parse`)
absl::StatusOr<Selector> Parse(absl::string_view text, const validation::field::Path& path = {});

// Returns a selector that requires each of `labels`; an empty or null set selects everything. The
// labels are not checked: a server refuses a selector with invalid ones.
// (client-go: `labels.SelectorFromSet`, `SelectorFromValidatedSet`, `ValidatedSetSelector`)
Selector SelectorFromSet(const Set& labels);
// As SelectorFromSet, but returns INVALID_ARGUMENT for the first label that is invalid.
// (client-go: `labels.ValidatedSelectorFromSet`)
absl::StatusOr<Selector> ValidatedSelectorFromSet(const Set& labels);

}  // namespace kube::labels

#endif  // APIMACHINERY_LABELS_SELECTOR_H_
