#ifndef CODEGEN_LEAF_TYPES_H_
#define CODEGEN_LEAF_TYPES_H_

#include <google/protobuf/descriptor.h>

#include <string>

namespace kube::codegen {

// A C++ type that is not a generated struct.
struct LeafType {
  std::string name;    // "::kube::String", "int32_t"
  std::string header;  // the header that defines it; empty for built-in types
  int size = 0;        // in bytes
  int alignment = 0;
};

// Returns the type of a scalar field, or of one with a message of kube/types.proto. Returns null
// for other messages, and for scalars that APIs do not have. The result lives as long as the
// program. Thread-safe.
const LeafType* FindLeafType(const google::protobuf::FieldDescriptor& field);

// Returns the type for a message with (kube.struct).list.
const LeafType& StringListType();

// Returns the type of the members `kind` and `api_version`.
const LeafType& StringType();

// Returns whether a message stands for the list that is its only field: (kube.struct).list.
bool IsListMessage(const google::protobuf::Descriptor& message);

// Returns whether a message is defined in kube/types.proto.
bool IsLeafMessage(const google::protobuf::Descriptor& message);

// Returns whether a field is a kube.Value, or a list or a map of them. It is not on the wire.
bool HoldsValues(const google::protobuf::FieldDescriptor& field);

// Returns whether a file belongs to a release of Kubernetes. The values of its fields may change
// with the next release.
bool IsOfRelease(const google::protobuf::FileDescriptor& file);

}  // namespace kube::codegen

#endif  // CODEGEN_LEAF_TYPES_H_
