#ifndef APIMACHINERY_MANAGEDFIELDS_DIFFERENTIAL_RANDOM_TYPES_H_
#define APIMACHINERY_MANAGEDFIELDS_DIFFERENTIAL_RANDOM_TYPES_H_

#include <string>

#include "tests/dice.h"

namespace kube::managedfields {

// Returns a random schema as the text that ParseSchema and typed.NewParser read. It has a type
// "root", which is a map, and others to which the types refer by name: also to themselves, and with
// another elementRelationship.
std::string MakeTypes(oracle::Dice& dice);

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_DIFFERENTIAL_RANDOM_TYPES_H_
