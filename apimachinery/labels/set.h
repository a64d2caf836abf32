#ifndef APIMACHINERY_LABELS_SET_H_
#define APIMACHINERY_LABELS_SET_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_path.h"

// Sets of labels: the `labels` of an object, or a selector of the old kind, such as a Service's.
// The functions are thread-safe.
namespace kube::labels {

// A set of labels, compared with ==; a null set equals an empty one. (client-go: `labels.Set`)
using Set = Map<String>;

// Formats a set as "app=web,tier=front", sorted by the texts of its labels.
// (client-go: `Set.String`)
std::string ToString(const Set& labels);
// Formats a set for display: as ToString, but "<none>" if it is empty.
// (client-go: `labels.FormatLabels`)
std::string FormatLabels(const Set& labels);

// Returns whether both sets have a label with different values. (client-go: `labels.Conflicts`)
bool Conflicts(const Set& a, const Set& b);

// Returns the labels of both sets, with the values of `b` for common keys. The result is never
// null. (client-go: `labels.Merge`)
Set Merge(const Set& a, const Set& b);

// Returns whether `labels` contains each label of `selector`; an empty one selects everything.
// Equivalent to SelectorFromSet(selector).Matches(labels), but makes no selector.
// (client-go: `labels.ValidatedSetSelector`)
bool SetMatches(const Set& selector, const Set& labels);

// Parses "app=web, tier=front"; the only operator is "=". Returns INVALID_ARGUMENT for anything
// else, and for an invalid key or value. (client-go: `labels.ConvertSelectorToLabelsMap`)
absl::StatusOr<Set> ParseSet(absl::string_view text, const validation::field::Path& path = {});

}  // namespace kube::labels

#endif  // APIMACHINERY_LABELS_SET_H_
