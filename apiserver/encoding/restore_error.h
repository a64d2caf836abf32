#ifndef APISERVER_ENCODING_RESTORE_ERROR_H_
#define APISERVER_ENCODING_RESTORE_ERROR_H_

#include <string>

#include "apimachinery/table/message.h"
#include "apimachinery/unstructured/value.h"

namespace kube::apiserver::internal {

// Why a value cannot become a struct of this type, in the words of upstream's converter, which
// makes objects of strategic merge patches: "cannot restore map from string". "" if it can, if only
// the text of a member, as of a time, is wrong, or if the mistake is in more structs than
// DecodeOptions::max_depth. (runtime.DefaultUnstructuredConverter) Pure: thread-safe.
std::string RestoreError(const unstructured::Value& value, const kube::table::Message& message);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_ENCODING_RESTORE_ERROR_H_
