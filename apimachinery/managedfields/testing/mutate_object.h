#ifndef APIMACHINERY_MANAGEDFIELDS_TESTING_MUTATE_OBJECT_H_
#define APIMACHINERY_MANAGEDFIELDS_TESTING_MUTATE_OBJECT_H_

#include "apimachinery/codec/testing/sample_object.h"
#include "tests/dice.h"

namespace kube::managedfields {

// Changes some members of an object, at any depth: gives them random values, and removes, repeats
// and swaps items of lists and keys of maps. For tests of comparisons. The result depends only on
// the object and the state of `dice`.
void MutateRandomly(oracle::Dice& dice, codec::internal::SampleObject& object);

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_TESTING_MUTATE_OBJECT_H_
