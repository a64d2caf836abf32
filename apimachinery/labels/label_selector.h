#ifndef APIMACHINERY_LABELS_LABEL_SELECTOR_H_
#define APIMACHINERY_LABELS_LABEL_SELECTOR_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/labels/set.h"
#include "apimachinery/types/box.h"

// Selectors as API objects have them, in `spec.selector` of a Deployment.
// (pkg/apis/meta/v1/helpers.go) Pure functions: thread-safe.
//
// A pointer that is null is a member that is absent: pass `spec.selector.get()`, or `&selector`.
// The validation of label selectors is in apimachinery/validation/meta_v1.h.
namespace kube::labels {

// Null selects nothing, an empty one everything. INVALID_ARGUMENT for an unknown operator, for keys
// and values that no label may have, and for values that do not fit the operator.
absl::StatusOr<Selector> LabelSelectorAsSelector(const api::meta::v1::LabelSelector* selector);

// As the selector of old that is a set of labels; null gives null. INVALID_ARGUMENT if an
// expression says more than one label's value.
absl::StatusOr<Set> LabelSelectorAsMap(const api::meta::v1::LabelSelector* selector);

// What Parse reads, as the API's type. INVALID_ARGUMENT for what Parse refuses, and for "!=",
// ">" and "<", which it does not have ("notin" it has). A label that stands there twice has its
// last value.
absl::StatusOr<api::meta::v1::LabelSelector> ParseToLabelSelector(absl::string_view text);

// Of a null set, null.
Box<api::meta::v1::LabelSelector> SetAsLabelSelector(const Set& labels);

// For people: the selector's text, "<none>" of everything and nothing, "<error>" of an invalid one.
std::string FormatLabelSelector(const api::meta::v1::LabelSelector* selector);

}  // namespace kube::labels

#endif  // APIMACHINERY_LABELS_LABEL_SELECTOR_H_
