#ifndef APIMACHINERY_VALIDATION_INTERNAL_CONTENT_MESSAGES_H_
#define APIMACHINERY_VALIDATION_INTERNAL_CONTENT_MESSAGES_H_

#include <string>

#include "absl/strings/str_cat.h"

namespace kube::validation::internal {

// Returns "must be no more than 63 bytes": the wording of pkg/api/validate/content, where
// pkg/util/validation says characters. Both count bytes. (client-go: `content.MaxLenError`)
inline std::string MaxBytesError(int length) {
  return absl::StrCat("must be no more than ", length, " bytes");
}

}  // namespace kube::validation::internal

#endif  // APIMACHINERY_VALIDATION_INTERNAL_CONTENT_MESSAGES_H_
