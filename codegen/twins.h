#ifndef CODEGEN_TWINS_H_
#define CODEGEN_TWINS_H_

#include <google/protobuf/descriptor.h>

#include <map>
#include <set>

namespace kube::codegen {

// Which messages have an all-optional twin: those with (kube.struct).apply_configuration, and what
// they hold of the same file. Told from a file alone, so that whoever imports it knows too.
// Thread-compatible.
class Twins {
 public:
  bool Has(const google::protobuf::Descriptor& message);

 private:
  using Messages = std::set<const google::protobuf::Descriptor*>;

  static void Reach(const google::protobuf::Descriptor& message, Messages& reached);

  std::map<const google::protobuf::FileDescriptor*, Messages> files_;
};

// The message of a field, of its elements or of its map's values, if it is one that becomes a
// struct. Null otherwise.
const google::protobuf::Descriptor* StructOf(const google::protobuf::FieldDescriptor& field);

}  // namespace kube::codegen

#endif  // CODEGEN_TWINS_H_
