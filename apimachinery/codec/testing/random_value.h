#ifndef APIMACHINERY_CODEC_TESTING_RANDOM_VALUE_H_
#define APIMACHINERY_CODEC_TESTING_RANDOM_VALUE_H_

#include "apimachinery/table/message.h"
#include "tests/dice.h"

namespace kube::codec::internal {

struct RandomValueOptions {
  // How deeply structs are nested, about: what contains itself must end somewhere. Default: 3.
  int max_depth = 3;

  // Only what a trip through JSON or protobuf leaves equal: no pointers to what is null in JSON, no
  // such values in maps, nothing in members that JSON does not have. Default: anything valid.
  bool survives = false;
};

// Fills `to`, a struct of zero bits, with random values that are valid and nasty: texts around the
// size that is inline, characters that are escaped, the ends of number ranges, null and empty and
// absent, quantities that are not canonical. The same for the same state of `random`.
void FillRandomly(oracle::Dice& dice, char* to, const kube::table::Message& message,
                  const RandomValueOptions& options = {});

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_TESTING_RANDOM_VALUE_H_
