#ifndef CODEGEN_TWINS_H_
#define CODEGEN_TWINS_H_

#include <google/protobuf/descriptor.h>

namespace kube::codegen {

// The all-optional twins of messages, their apply configurations: foo/types.applies.kube.h has
// those of foo/types.proto. What has a twin, and which fields are in it, follows from the message
// alone, so all files that import it agree. Pure and thread-safe.

// Returns whether a message has a twin: it becomes a struct, and is not the list of a kind.
bool HasTwin(const google::protobuf::Descriptor& message);

// Returns whether the twin of the message has this field. Twins are only sent as JSON, and the
// managed fields and the self link of metadata cannot be applied (client-go:
// `ObjectMetaApplyConfiguration`).
bool IsInTwin(const google::protobuf::FieldDescriptor& field);

// Returns the message of a field, of its elements or of its map's values if it becomes a struct,
// else null.
const google::protobuf::Descriptor* StructOf(const google::protobuf::FieldDescriptor& field);

}  // namespace kube::codegen

#endif  // CODEGEN_TWINS_H_
