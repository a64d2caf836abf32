#ifndef CODEGEN_STRUCT_BUILDER_H_
#define CODEGEN_STRUCT_BUILDER_H_

#include <google/protobuf/descriptor.h>

#include <compare>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/diagnostics.h"
#include "codegen/leaf_types.h"
#include "codegen/model.h"

namespace kube::codegen {

// The origin of a struct: a message, or the message whose all-optional twin it is.
struct StructSource {
  const google::protobuf::Descriptor* message = nullptr;
  bool twin = false;

  friend auto operator<=>(const StructSource&, const StructSource&) = default;
};

// The type that a member is or holds: a leaf type or a struct.
struct MemberSource {
  const google::protobuf::FieldDescriptor* field = nullptr;  // null for `kind` and `api_version`
  const LeafType* leaf = nullptr;
  StructSource held{};
};

struct BuiltStruct {
  Struct out;                         // complete except for its layout
  std::vector<MemberSource> sources;  // one for each of out.members
};

// Turns messages into structs. Their files must have passed CheckIdl. Thread-compatible.
class StructBuilder {
 public:
  // The names of messages in `file` are not qualified. Both arguments must outlive the builder.
  StructBuilder(const google::protobuf::FileDescriptor& file, Diagnostics& diagnostics)
      : file_(file), diagnostics_(diagnostics) {}

  // Returns the struct of a source, which is built at the first call and lives as long as the
  // builder.
  BuiltStruct& Get(const StructSource& source);

 private:
  void AddTypeMeta(BuiltStruct& built, bool twin);
  void AddMembers(BuiltStruct& built, const StructSource& source, bool on_wire,
                  std::vector<WireEntry>& wire);
  void AddField(BuiltStruct& built, const google::protobuf::FieldDescriptor& field, bool twin,
                bool on_wire, std::vector<WireEntry>& wire);
  void Check(const BuiltStruct& built, const Member& member,
             const google::protobuf::FieldDescriptor& field);
  void SetType(Member& member, MemberSource& source, bool twin);
  std::string TypeName(const StructSource& source) const;

  const google::protobuf::FileDescriptor& file_;
  Diagnostics& diagnostics_;
  std::map<StructSource, BuiltStruct> built_;
};

// Returns the C++ name of the struct.
std::string NameOf(const StructSource& source);

}  // namespace kube::codegen

#endif  // CODEGEN_STRUCT_BUILDER_H_
