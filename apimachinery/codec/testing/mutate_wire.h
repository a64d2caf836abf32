#ifndef APIMACHINERY_CODEC_TESTING_MUTATE_WIRE_H_
#define APIMACHINERY_CODEC_TESTING_MUTATE_WIRE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "tests/dice.h"

namespace kube::codec::internal {

// Returns a protobuf message with one change at any depth, where the lengths around the change are
// adjusted: a field is repeated, moved, removed or added, or gets another number, wire type or
// varint encoding; or any bytes are changed, inserted or removed. The result depends only on the
// state of `dice`.
std::string MutateWire(oracle::Dice& dice, absl::string_view wire);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_TESTING_MUTATE_WIRE_H_
