#ifndef CODEGEN_MERGE_RULES_H_
#define CODEGEN_MERGE_RULES_H_

#include <google/protobuf/descriptor.h>

#include <string>

#include "codegen/diagnostics.h"

namespace kube::codegen {

// Returns the bytes that follow a field's name in the tables and say how it merges (MergeRules of
// apimachinery/table/message.h): one for the strategy, then the merge key, the list-map keys and,
// for a list of type map, the defaults of these keys, each after its size. Returns "" if the IDL
// has no merge options for the field, whose file must have passed CheckIdl.
std::string EncodeMergeRules(const google::protobuf::FieldDescriptor& field,
                             Diagnostics& diagnostics);

}  // namespace kube::codegen

#endif  // CODEGEN_MERGE_RULES_H_
