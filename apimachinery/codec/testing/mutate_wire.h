#ifndef APIMACHINERY_CODEC_TESTING_MUTATE_WIRE_H_
#define APIMACHINERY_CODEC_TESTING_MUTATE_WIRE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "tests/dice.h"

namespace kube::codec::internal {

// A protobuf message with one thing changed, at any depth, the lengths around it kept right: fields
// twice, in another order, missing, unknown, with another number or wire type, varints of other
// sizes; or any bytes changed, added and left out. The same for the same state of `dice`.
std::string MutateWire(oracle::Dice& dice, absl::string_view wire);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_TESTING_MUTATE_WIRE_H_
