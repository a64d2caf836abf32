#ifndef TESTS_KITCHEN_SINK_KITCHEN_MESSAGES_H_
#define TESTS_KITCHEN_SINK_KITCHEN_MESSAGES_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/table/message.h"

namespace kube::oracle {

// Returns the field table of a struct of base.proto or sink.proto by its name, such as
// "EmptyOrZero", or null if there is none. For tests that iterate over KitchenCases and WireCases.
// Thread-safe.
const kube::table::Message* KitchenMessage(absl::string_view type);

// A struct of the kitchen sink that also has a Go twin.
struct KitchenType {
  absl::string_view name;
  const kube::table::Message* message;
};

// Returns all of them. Thread-safe.
absl::Span<const KitchenType> KitchenTypes();

}  // namespace kube::oracle

#endif  // TESTS_KITCHEN_SINK_KITCHEN_MESSAGES_H_
