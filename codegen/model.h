#ifndef CODEGEN_MODEL_H_
#define CODEGEN_MODEL_H_

#include <google/protobuf/descriptor.h>

#include <optional>
#include <string>
#include <vector>

#include "codegen/diagnostics.h"
#include "codegen/kinds.h"

// Everything that is generated for an IDL file, complete and checked before any of it is printed.
// Texts are those of the output. Plain values: thread-compatible.

namespace kube::codegen {

// The container of a member's values: kube::table::Shape.
enum class Shape { kValue, kOpt, kBox, kList, kMap };

// A member of a struct.
struct Member {
  std::string name;  // in C++
  std::string json_name;
  std::string comment;  // as it stands in the IDL
  std::string type;     // "::kube::Opt<int32_t>"
  Shape shape = Shape::kValue;
  bool is_string_list = false;  // whether its type is a message with (kube.struct).list
  std::string sub;  // the struct that it is or holds, such as "WidgetSpec"; empty for leaf types
  int number = 0;   // field number on the wire; 0: not sent
  bool omit_empty = false;
  bool omit_zero = false;
  bool no_json = false;
  bool unknown_fields = false;  // whether it holds what no other member has
  std::string merge_rules;      // as returned by EncodeMergeRules
};

// An entry of Message::wire: a member, or the group of an inlined struct's members.
struct WireEntry {
  int number = 0;
  int member = -1;  // -1: a group
  std::vector<WireEntry> group{};
};

struct Struct {
  std::string name;       // in C++
  std::string type_name;  // "Pod", in tables
  std::string comment;
  std::vector<Member> members;  // in the order of the JSON
  std::vector<WireEntry> wire;  // ascending by number
  std::string json_form;        // "kObject"
  std::string twin_of;          // the struct whose apply configuration it is; usually empty
  int size = 0;                 // sizeof
  bool is_atomic = false;
  int alignment = 1;
};

// Returns the structs that the members are or hold, without duplicates, in the order of the
// members.
std::vector<std::string> SubsOf(const Struct& type);

// A constant of the API: Go's PodRunning is kPodRunning.
struct Constant {
  std::string name;
  std::string value;
  std::string comment;  // without "//"; may be empty
};

// The constants of one string type, or those without a type.
struct ConstantGroup {
  std::string type;  // such as "PodPhase"; empty: plain strings
  std::vector<Constant> constants;
};

// Another name of a struct.
struct StructAlias {
  std::string name;
  std::string of;
};

struct File {
  std::string proto_path;
  std::string header;                 // "foo/types.kube.h"
  std::string cpp_namespace;          // "kube::example::v1"
  std::string inline_namespace;       // "k1_36", or empty
  std::vector<std::string> includes;  // of the header, sorted
  std::vector<std::string> forwards;  // structs to declare before the others are defined, sorted
  std::vector<ConstantGroup> constants;
  std::vector<Struct> structs;       // a struct comes after those that it holds by value
  std::vector<StructAlias> aliases;  // in the order of the IDL
  std::vector<KindEntry> kinds;
};

// Builds the model of a file. Returns nullopt, with at least one error in `diagnostics`, if the
// file cannot be generated; `diagnostics` must be empty before. Errors in imported files are
// reported with those files.
std::optional<File> BuildFile(const google::protobuf::FileDescriptor& descriptor,
                              Diagnostics& diagnostics);

// Does the same for foo/types.applies.kube.h: the structs are the all-optional twins of the
// messages (twins.h), in the order in which twins hold each other, and there are no constants.
// Messages in a twin, also those of other files, are their own twins; a list of a kind is itself.
std::optional<File> BuildApplyConfigurations(const google::protobuf::FileDescriptor& descriptor,
                                             Diagnostics& diagnostics);

}  // namespace kube::codegen

#endif  // CODEGEN_MODEL_H_
