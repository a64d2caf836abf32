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
#include "codegen/twins.h"

namespace kube::codegen {

// What a struct is made of: a message, or a message whose all-optional twin it is.
struct StructSource {
  const google::protobuf::Descriptor* message = nullptr;
  bool twin = false;

  friend auto operator<=>(const StructSource&, const StructSource&) = default;
};

// What a member is or holds: a leaf, or a struct.
struct MemberSource {
  const google::protobuf::FieldDescriptor* field = nullptr;  // null: `kind` or `api_version`
  const LeafType* leaf = nullptr;
  StructSource held{};
};

struct BuiltStruct {
  Struct out;                         // all but its layout
  std::vector<MemberSource> sources;  // of out.members
};

// Turns messages into structs. Their files passed CheckIdl. Thread-compatible.
class StructBuilder {
 public:
  // Names of `file`'s own messages are not qualified. Both outlive the builder.
  StructBuilder(const google::protobuf::FileDescriptor& file, Diagnostics& diagnostics)
      : file_(file), diagnostics_(diagnostics) {}

  // Built at the first call, and there as long as the builder.
  BuiltStruct& Get(const StructSource& source);

  bool HasTwin(const google::protobuf::Descriptor& message) { return twins_.Has(message); }

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
  Twins twins_;
  std::map<StructSource, BuiltStruct> built_;
};

// The name of the struct in C++.
std::string NameOf(const StructSource& source);

}  // namespace kube::codegen

#endif  // CODEGEN_STRUCT_BUILDER_H_
