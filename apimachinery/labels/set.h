#ifndef APIMACHINERY_LABELS_SET_H_
#define APIMACHINERY_LABELS_SET_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_path.h"

// Sets of labels: the `labels` of an object, and selectors of the old kind, as a Service's. Pure
// functions: thread-safe.
namespace kube::labels {

// (labels.Set) Two are compared with ==; null and empty are equal.
using Set = Map<String>;

// "app=web,tier=front", sorted as text. (Set.String)
std::string ToString(const Set& labels);
// The same for people: "<none>" of an empty one. (labels.FormatLabels)
std::string FormatLabels(const Set& labels);

// Whether both have a label with different values. (labels.Conflicts)
bool Conflicts(const Set& a, const Set& b);

// All labels; where both have one, that of `b`. Never null. (labels.Merge)
Set Merge(const Set& a, const Set& b);

// Whether `labels` has each label of `selector`; an empty one selects everything. What a selector
// of SelectorFromSet says, without making one. (ValidatedSetSelector)
bool SetMatches(const Set& selector, const Set& labels);

// Reads "app=web, tier=front": no operators but "=". INVALID_ARGUMENT for anything else, and for
// keys and values that no label may have. (labels.ConvertSelectorToLabelsMap)
absl::StatusOr<Set> ParseSet(absl::string_view text, const validation::field::Path& path = {});

}  // namespace kube::labels

#endif  // APIMACHINERY_LABELS_SET_H_
