#ifndef APIMACHINERY_CODEC_INTERNAL_KITCHEN_TYPES_H_
#define APIMACHINERY_CODEC_INTERNAL_KITCHEN_TYPES_H_

#include "absl/strings/string_view.h"

namespace kube::codec::internal {

// The structs of the kitchen sink that its Go twin has, for tests that run through all of them:
// tests/kitchen_sink/kitchen_messages.h has their tables.
inline constexpr absl::string_view kKitchenTypes[] = {
    "ObjectMeta",
    "OwnerReference",
    "ManagedFieldsEntry",
    "ListMeta",
    "Point",
    "Pair",
    "Empty",
    "LabelSelectorRequirement",
    "LabelSelector",
    "Condition",
    "ExecAction",
    "HttpAction",
    "Handler",
    "Source",
    "Plain",
    "Optional",
    "Never",
    "OptionalNever",
    "Zero",
    "OptionalZero",
    "EmptyOrZero",
    "Lists",
    "ListsNever",
    "ListsZero",
    "Maps",
    "MapsNever",
    "MapsZero",
    "DeepThree",
    "DeepTwo",
    "DeepOne",
    "Structs",
    "Volume",
    "Probe",
    "Outer",
    "Middle",
    "Inner",
    "Inlines",
    "Numbers",
    "OneFormat",
    "Keywords",
    "JsonNames",
    "LongNames",
    "Wide",
    "SchemaOrBool",
    "Schema",
    "SchemaOrArray",
    "SchemaOrStringArray",
    "Merges",
    "Port",
    "Part",
    "Restricted",
    "SinkSpec",
    "SinkStatus",
    "Sink",
    "SinkList",
    "Tap",
    "TapList",
    "DrainOptions",
    "Typed",
    "Template",
    "Workload",
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_KITCHEN_TYPES_H_
