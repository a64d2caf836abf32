#ifndef CODEGEN_LEAF_TYPES_H_
#define CODEGEN_LEAF_TYPES_H_

#include <google/protobuf/descriptor.h>

#include <string>

namespace kube::codegen {

// A C++ type that is not a generated struct.
struct LeafType {
  std::string name;    // "::kube::String", "int32_t"
  std::string header;  // that defines it; empty for what the language has
  int size = 0;        // in bytes
  int alignment = 0;
};

// The type of a field that is not a message of an API: of scalars, and of the messages of
// kube/types.proto. Null for other messages, and for scalars that APIs do not have. It lives as
// long as the program. Thread-safe.
const LeafType* FindLeafType(const google::protobuf::FieldDescriptor& field);

// Of a message with (kube.struct).list.
const LeafType& StringListType();

// Of the members `kind` and `api_version`.
const LeafType& StringType();

// Whether a message stands for the list that is its one field: (kube.struct).list.
bool IsListMessage(const google::protobuf::Descriptor& message);

// Whether a message is one of kube/types.proto.
bool IsLeafMessage(const google::protobuf::Descriptor& message);

}  // namespace kube::codegen

#endif  // CODEGEN_LEAF_TYPES_H_
