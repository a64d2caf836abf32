#ifndef CMD_OBJCONV_READ_OBJECTS_H_
#define CMD_OBJCONV_READ_OBJECTS_H_

#include <cstddef>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/stream/padded_buffer.h"

namespace kube::objconv {

// Receives an object, and how many bytes of the stream it was.
using OnObject = absl::FunctionRef<void(codec::AnyObject object, size_t bytes)>;
// Receives why an object was refused: "decode Pod: spec.nodeName: want a string (line 3, column
// 9)". No value of the object is in it, which may be a secret.
using OnError = absl::FunctionRef<void(const absl::Status& error)>;

// Reads every object of a stream: JSON, YAML or protobuf. What is refused is passed over.
void ReadObjects(const codec::PaddedBuffer& stream, bool strict, OnObject on_object,
                 OnError on_error);

}  // namespace kube::objconv

#endif  // CMD_OBJCONV_READ_OBJECTS_H_
