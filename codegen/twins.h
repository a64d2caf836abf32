#ifndef CODEGEN_TWINS_H_
#define CODEGEN_TWINS_H_

#include <google/protobuf/descriptor.h>

#include <map>
#include <set>

namespace kube::codegen {

// Finds the messages that have an all-optional twin: those with (kube.struct).apply_configuration,
// and the messages of the same file that they hold. This depends only on the file, so all files
// that import it agree. Thread-compatible.
class Twins {
 public:
  bool Has(const google::protobuf::Descriptor& message);

 private:
  using Messages = std::set<const google::protobuf::Descriptor*>;

  static void Reach(const google::protobuf::Descriptor& message, Messages& reached);

  std::map<const google::protobuf::FileDescriptor*, Messages> files_;
};

// Returns the message of a field, of its elements or of its map's values if it becomes a struct,
// else null.
const google::protobuf::Descriptor* StructOf(const google::protobuf::FieldDescriptor& field);

}  // namespace kube::codegen

#endif  // CODEGEN_TWINS_H_
