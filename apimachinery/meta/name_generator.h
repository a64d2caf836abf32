#ifndef APIMACHINERY_META_NAME_GENERATOR_H_
#define APIMACHINERY_META_NAME_GENERATOR_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace kube::meta {

// The maximum length of the part of a name that comes from generateName. apiserver:
// `names.MaxGeneratedNameLength`.
inline constexpr size_t kMaxGeneratedNameLength = 58;

// Returns what a server makes of metadata.generateName: the first 58 bytes of `base` and five
// characters of base::RandomString, at most 63 bytes. The name may already be in use. The random
// numbers are those of base::Runtime, so a simulation can be replayed. Thread-safe. apiserver:
// `names.SimpleNameGenerator`.
std::string GenerateName(absl::string_view base);

}  // namespace kube::meta

#endif  // APIMACHINERY_META_NAME_GENERATOR_H_
