#ifndef CODEGEN_CRD_IMPORT_INTERNAL_IDL_NAMES_H_
#define CODEGEN_CRD_IMPORT_INTERNAL_IDL_NAMES_H_

#include <map>
#include <set>
#include <string>

#include "absl/strings/string_view.h"

// The names in imported IDL. They follow from the names in the definition alone, so that an import
// of a later version of it has the same ones. Functions are pure and thread-safe.

namespace kube::codegen::internal {

// Returns the package of a group and version, which becomes the C++ namespace:
// "kube.crd.io.cert_manager.v1" for "kube.crd", "cert-manager.io" and "v1". Both must be valid
// names of a definition.
std::string PackageOf(absl::string_view prefix, absl::string_view group, absl::string_view version);

// Returns the words of a JSON name in lower case, joined by underscores: "cluster_ips" for
// "clusterIPs", "x_token" for "x-token", "n3scale" for "3scale". Any text has a name.
std::string SnakeCase(absl::string_view json_name);

// Returns the JSON name that protobuf gives a field: "clusterIps" for "cluster_ips".
std::string DefaultJsonName(absl::string_view field);

// Returns a JSON name or a kind as a part of a message's name: "CaBundle" for "caBundle", "XToken"
// for "x-token". Any text has one, which begins with a capital letter.
std::string Segment(absl::string_view name);

// Returns whether a field of a generated struct can have this JSON name: it is not empty, not
// longer than 255 bytes, and has only characters that stand for themselves in JSON and in C++.
bool IsPlainName(absl::string_view json_name);

// The names of the fields of one message. protobuf takes "foo_bar" and "fooBar" for the same name,
// so names that differ only in capital letters and underscores count as equal. Thread-compatible.
class FieldNames {
 public:
  // Returns `name`, or, if it is taken, the first free one of "name_2", "name_3" ...
  std::string Add(const std::string& name);

 private:
  std::set<std::string> taken_;
  // The number to try next, so that a thousand names that clash do not try each other's numbers.
  std::map<std::string, int> next_;
};

// The names of the messages of one file. Thread-compatible.
class MessageNames {
 public:
  // Returns `name` or, if it is taken, the first free one of "Name2", "Name3" ... Names that the
  // generated code gives to other things get a suffix.
  std::string Add(const std::string& name);
  // Makes sure that no message gets this name, if none has it.
  void Reserve(const std::string& name) { taken_.insert(name); }

 private:
  std::set<std::string> taken_;
  // The number to try next.
  std::map<std::string, int> next_;
};

// Returns the name of the message for a property of another message: "WidgetSpecPorts" for
// "WidgetSpec" and "ports". A name longer than 200 bytes is replaced by its beginning, a hash of
// the whole and the property. `path` tells the property apart from all others of the file.
std::string MessageNameOf(absl::string_view parent, absl::string_view property,
                          absl::string_view path);

}  // namespace kube::codegen::internal

#endif  // CODEGEN_CRD_IMPORT_INTERNAL_IDL_NAMES_H_
