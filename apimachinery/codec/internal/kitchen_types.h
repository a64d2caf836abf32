#ifndef APIMACHINERY_CODEC_INTERNAL_KITCHEN_TYPES_H_
#define APIMACHINERY_CODEC_INTERNAL_KITCHEN_TYPES_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/types/internal/message.h"

namespace kube::codec::internal {

// A struct of the kitchen sink (tests/kitchen_sink), by the name that it has in the IDL.
struct KitchenType {
  absl::string_view name;
  const kube::internal::Message* message;
};

// All that the Go twin has.
std::vector<KitchenType> KitchenTypes();

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_KITCHEN_TYPES_H_
