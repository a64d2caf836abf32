#ifndef APIMACHINERY_CODEC_YAML_YAML_KEY_ORDER_H_
#define APIMACHINERY_CODEC_YAML_YAML_KEY_ORDER_H_

#include "absl/strings/string_view.h"

namespace kube::codec::internal {

// Compares keys in the order in which go-yaml v2 writes the keys of a map (sorter.go): digits by
// the numbers that they form ("a2" before "a10"), and letters after all other characters. Pure
// function: thread-safe.
//
// This is not a strict weak ordering: there are unusual keys a < b < c < a. It may be used with
// std::stable_sort, which tolerates this, but not with std::sort, which may then access memory
// outside of the array.
bool YamlKeyLess(absl::string_view a, absl::string_view b);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_YAML_YAML_KEY_ORDER_H_
