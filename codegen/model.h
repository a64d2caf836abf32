#ifndef CODEGEN_MODEL_H_
#define CODEGEN_MODEL_H_

#include <google/protobuf/descriptor.h>

#include <optional>
#include <string>
#include <vector>

#include "codegen/diagnostics.h"
#include "codegen/kinds.h"

// What is generated for an IDL file, decided and checked before a line of it is printed. Texts are
// those of the output. Plain values: thread-compatible.

namespace kube::codegen {

// What a member holds its values in: kube::table::Shape.
enum class Shape { kValue, kOpt, kBox, kList, kMap };

// A member of a struct.
struct Member {
  std::string name;  // in C++
  std::string json_name;
  std::string comment;  // of the IDL, as it stands there
  std::string type;     // "::kube::Opt<int32_t>"
  Shape shape = Shape::kValue;
  bool is_string_list = false;  // the value of a message with (kube.struct).list
  std::string sub;              // the struct that it is, or holds: "WidgetSpec"; empty for leaves
  int number = 0;               // on the wire; 0: not there
  bool omit_empty = false;
  bool omit_zero = false;
  bool no_json = false;
  std::string merge_rules;  // as EncodeMergeRules gives them
};

// One entry of Message::wire: a member, or the group of an inlined struct's members.
struct WireEntry {
  int number = 0;
  int member = -1;  // -1: a group
  std::vector<WireEntry> group{};
};

struct Struct {
  std::string name;       // in C++
  std::string type_name;  // "Pod", in tables
  std::string comment;
  std::vector<Member> members;  // in the order of JSON
  std::vector<WireEntry> wire;  // ascending by number
  std::string json_form;        // "kObject"
  bool all_optional = false;
  int size = 0;  // sizeof
  int alignment = 1;
};

// The structs that its members are or hold, each once, in the order of its members.
std::vector<std::string> SubsOf(const Struct& type);

// A constant of the API: Go's PodRunning, kPodRunning here.
struct Constant {
  std::string name;
  std::string value;
  std::string comment;  // without "//"; may be empty
};

// The constants of one string type, or of none.
struct ConstantGroup {
  std::string type;  // "PodPhase"; empty: plain strings
  std::vector<Constant> constants;
};

struct File {
  std::string proto_path;
  std::string cpp_namespace;          // "kube::example::v1"
  std::string inline_namespace;       // "k1_36", or empty
  std::vector<std::string> includes;  // of the header, sorted
  std::vector<std::string> forwards;  // names to declare before the structs, sorted
  std::vector<ConstantGroup> constants;
  std::vector<Struct> structs;  // what one holds by value comes before it
  std::vector<KindEntry> kinds;
};

// Returns nothing, with at least one error in `diagnostics`, if the file cannot be generated. A
// file is judged by itself: what is wrong in those that it imports is reported with them.
//
// The all-optional twins: a message with (kube.struct).apply_configuration has one, and so have the
// messages of the same file that it holds. Messages of other files appear in it as their own twins
// where they have one, and as themselves where not.
std::optional<File> BuildFile(const google::protobuf::FileDescriptor& descriptor,
                              Diagnostics& diagnostics);

}  // namespace kube::codegen

#endif  // CODEGEN_MODEL_H_
