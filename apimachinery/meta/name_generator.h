#ifndef APIMACHINERY_META_NAME_GENERATOR_H_
#define APIMACHINERY_META_NAME_GENERATOR_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace kube::meta {

// How much of a generateName gets into a name. (names.MaxGeneratedNameLength)
inline constexpr size_t kMaxGeneratedNameLength = 58;

// What a server makes of metadata.generateName: the first 58 bytes of `base`, and five random
// characters of base::RandomString, 63 bytes in all at most. Not sure to be free. The random
// numbers are base::Runtime's, so that a simulation replays. Thread-safe.
// (names.SimpleNameGenerator)
std::string GenerateName(absl::string_view base);

}  // namespace kube::meta

#endif  // APIMACHINERY_META_NAME_GENERATOR_H_
