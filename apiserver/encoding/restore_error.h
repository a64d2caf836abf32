#ifndef APISERVER_ENCODING_RESTORE_ERROR_H_
#define APISERVER_ENCODING_RESTORE_ERROR_H_

#include <string>

#include "apimachinery/table/message.h"
#include "apimachinery/unstructured/value.h"

namespace kube::apiserver::internal {

// Returns why a value cannot become a struct of this type, in the words of upstream's converter,
// which makes the objects of strategic merge patches: "cannot restore map from string"
// (apimachinery: `runtime.DefaultUnstructuredConverter`). Returns "" if it can, if only the text of
// a member such as a time is wrong, or if the error is nested deeper than DecodeOptions::max_depth.
// Pure and thread-safe.
std::string RestoreError(const unstructured::Value& value, const kube::table::Message& message);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_ENCODING_RESTORE_ERROR_H_
