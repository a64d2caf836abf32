#ifndef CODEGEN_CRD_IMPORT_INTERNAL_IDL_H_
#define CODEGEN_CRD_IMPORT_INTERNAL_IDL_H_

#include <string>
#include <vector>

// A file of the IDL, complete before any of it is printed. Plain values: thread-compatible.

namespace kube::codegen::internal {

// An option in protobuf's text format: a name with a value, such as `3`, `MAP` or `"a"`, or with
// options of its own.
struct IdlOption {
  std::string name = {};
  std::string value = {};
  std::vector<IdlOption> members = {};
};

using IdlOptions = std::vector<IdlOption>;

struct IdlField {
  std::string label = {};  // "optional", "repeated" or empty
  std::string type = {};   // "string", "map<string, kube.Value>", "WidgetSpec"
  std::string name = {};
  std::string json_name = {};
  int number = 0;
  std::vector<std::string> comment = {};  // lines
  IdlOptions options = {};                // of (kube.field)
};

struct IdlMessage {
  std::string name = {};
  std::vector<std::string> comment = {};  // lines
  IdlOptions kind = {};                   // of (kube.kind); empty if it is no kind
  IdlOptions options = {};                // of (kube.struct)
  std::vector<IdlField> fields = {};
};

struct IdlAlias {
  std::string name = {};
  std::string of = {};
};

struct IdlFile {
  std::string package = {};
  std::string group = {};
  std::string version = {};
  std::vector<std::string> sources = {};  // the names of the definitions
  std::vector<IdlMessage> messages = {};
  std::vector<IdlAlias> aliases = {};
};

}  // namespace kube::codegen::internal

#endif  // CODEGEN_CRD_IMPORT_INTERNAL_IDL_H_
