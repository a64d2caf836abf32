#ifndef APIMACHINERY_CODEC_TESTING_RANDOM_VALUE_H_
#define APIMACHINERY_CODEC_TESTING_RANDOM_VALUE_H_

#include "apimachinery/table/message.h"
#include "tests/dice.h"

namespace kube::codec::internal {

// The range of values that FillRandomly creates.
struct RandomValueOptions {
  // Approximate maximum nesting of structs, which is needed for types that contain themselves.
  // Default: 3.
  int max_depth = 3;

  // Creates only values that survive JSON and protobuf unchanged: no pointers to values that are
  // null in JSON, no such values in maps, and nothing in members that JSON does not have. Default:
  // any valid value.
  bool survives = false;
};

// Fills `to`, a struct of zero bits, with random values that are valid but difficult: strings
// around the maximum inline size, characters that need escapes, limits of number ranges, null,
// empty and absent values, quantities that are not canonical. The result depends only on the state
// of `dice`.
void FillRandomly(oracle::Dice& dice, char* to, const kube::table::Message& message,
                  const RandomValueOptions& options = {});

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_TESTING_RANDOM_VALUE_H_
