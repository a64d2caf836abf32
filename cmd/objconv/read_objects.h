#ifndef CMD_OBJCONV_READ_OBJECTS_H_
#define CMD_OBJCONV_READ_OBJECTS_H_

#include <cstddef>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/stream/padded_buffer.h"

namespace kube::objconv {

// Receives an object and its size in the stream in bytes.
using OnObject = absl::FunctionRef<void(codec::AnyObject object, size_t bytes)>;
// Receives the reason why an object was refused, such as "decode Pod: spec.nodeName: expected a
// string (line 3, column 9)". It contains no values of the object, which may be secret.
using OnError = absl::FunctionRef<void(const absl::Status& error)>;

// Reads all objects of a stream of JSON, YAML or protobuf, and skips those that are refused.
void ReadObjects(const codec::PaddedBuffer& stream, bool strict, OnObject on_object,
                 OnError on_error);

}  // namespace kube::objconv

#endif  // CMD_OBJCONV_READ_OBJECTS_H_
