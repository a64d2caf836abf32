#ifndef APIMACHINERY_CODEC_YAML_YAML_KEY_ORDER_H_
#define APIMACHINERY_CODEC_YAML_YAML_KEY_ORDER_H_

#include "absl/strings/string_view.h"

namespace kube::codec::internal {

// The order in which go-yaml v2 writes the keys of a map (sorter.go): digits as the numbers they
// spell ("a2" before "a10"), and letters behind everything else. Pure: thread-safe.
//
// Not quite an order: there are triples of odd keys that go in a circle. So it is for stable_sort,
// which bears that, and not for sort, which may then leave the array.
bool YamlKeyLess(absl::string_view a, absl::string_view b);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_YAML_YAML_KEY_ORDER_H_
