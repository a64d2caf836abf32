#ifndef APIMACHINERY_LABELS_LABEL_SELECTOR_H_
#define APIMACHINERY_LABELS_LABEL_SELECTOR_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/labels/set.h"
#include "apimachinery/types/box.h"

// Conversions of the API's label selectors, such as `spec.selector` of a Deployment.
// (client-go: `pkg/apis/meta/v1/helpers.go`) The functions are thread-safe.
//
// A null pointer stands for an absent field: pass `spec.selector.get()`, or `&selector`. Label
// selectors are validated by apimachinery/validation/meta_v1.h.
namespace kube::labels {

// Converts to a Selector. Null selects nothing, an empty selector everything. Returns
// INVALID_ARGUMENT for an unknown operator, for an invalid key or value, and for values that do not
// suit the operator. (client-go: `metav1.LabelSelectorAsSelector`)
absl::StatusOr<Selector> LabelSelectorAsSelector(const api::meta::v1::LabelSelector* selector);

// Converts to a selector of the old kind, a set of labels; null gives null. Returns
// INVALID_ARGUMENT if an expression is anything but `In` with a single value.
// (client-go: `metav1.LabelSelectorAsMap`)
absl::StatusOr<Set> LabelSelectorAsMap(const api::meta::v1::LabelSelector* selector);

// Parses the syntax of Parse into the API's type. Returns INVALID_ARGUMENT if Parse does, and for
// the operators "!=", ">" and "<", which the type does not have (it has "notin"). Of several
// requirements `key=value` for one key the last counts. (client-go: `metav1.ParseToLabelSelector`)
absl::StatusOr<api::meta::v1::LabelSelector> ParseToLabelSelector(absl::string_view text);

// Converts a set of labels to a selector; a null set gives null.
// (client-go: `metav1.SetAsLabelSelector`)
Box<api::meta::v1::LabelSelector> SetAsLabelSelector(const Set& labels);

// Formats a selector for display: "<none>" if it selects everything or nothing, "<error>" if it is
// invalid. (client-go: `metav1.FormatLabelSelector`)
std::string FormatLabelSelector(const api::meta::v1::LabelSelector* selector);

}  // namespace kube::labels

#endif  // APIMACHINERY_LABELS_LABEL_SELECTOR_H_
