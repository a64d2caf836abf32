#ifndef CODEGEN_MERGE_RULES_H_
#define CODEGEN_MERGE_RULES_H_

#include <google/protobuf/descriptor.h>

#include <string>

#include "codegen/diagnostics.h"

namespace kube::codegen {

// How a field merges, as the bytes that follow its name in the tables (MergeRules of
// apimachinery/table/message.h): one of strategy, then the merge key and the list-map
// keys, each with its size before it. Empty if the IDL says nothing of it.
std::string EncodeMergeRules(const google::protobuf::FieldDescriptor& field,
                             Diagnostics& diagnostics);

}  // namespace kube::codegen

#endif  // CODEGEN_MERGE_RULES_H_
