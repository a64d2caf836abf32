#ifndef ENVTEST_SERVER_ENCODING_RESTORE_ERROR_H_
#define ENVTEST_SERVER_ENCODING_RESTORE_ERROR_H_

#include <string>

#include "apimachinery/types/internal/message.h"
#include "apimachinery/unstructured/value.h"

namespace kube::envtest::internal {

// Why a value cannot become a struct of this type, in the words of upstream's converter, which
// makes objects of strategic merge patches: "cannot restore map from string". "" if it can, if only
// the text of a member, as of a time, is wrong, or if the mistake is in more structs than
// DecodeOptions::max_depth. (runtime.DefaultUnstructuredConverter) Pure: thread-safe.
std::string RestoreError(const unstructured::Value& value, const kube::internal::Message& message);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_ENCODING_RESTORE_ERROR_H_
