#ifndef CODEGEN_KINDS_H_
#define CODEGEN_KINDS_H_

#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

#include "codegen/diagnostics.h"

// What is generated of the kinds of an IDL file: the members of kube::KindInfo. Plain values:
// thread-compatible.

namespace kube::codegen {

struct SubresourceEntry {
  std::string name;
  std::vector<std::string> verbs;
  std::string input;
  std::string result;
};

struct KindEntry {
  std::string group;
  std::string version;
  std::string kind;
  std::string message_name;  // in the IDL
  std::string struct_name;   // in C++
  std::string scope;         // "kNamespaced"
  std::string plural;
  std::string singular;
  std::vector<std::string> short_names;
  std::vector<std::string> categories;
  std::vector<std::string> verbs;  // of a resource: all of them, if the IDL names none
  std::vector<SubresourceEntry> subresources;
  bool has_definition = false;  // the IDL says what a CustomResourceDefinition says of it
  std::string list_of;
  std::string introduced;
  std::string deprecated;
  std::string removed;
  std::string replacement;
};

// The kinds of a file that passed CheckIdl, in its order. What is wrong with one is reported.
std::vector<KindEntry> BuildKinds(const google::protobuf::FileDescriptor& file,
                                  Diagnostics& diagnostics);

// Reports packages whose kinds are in more than one of `files` and of the files that these import:
// there is one function Kinds() in a namespace.
void CheckOneFileHasKinds(const std::vector<const google::protobuf::FileDescriptor*>& files,
                          Diagnostics& diagnostics);

}  // namespace kube::codegen

#endif  // CODEGEN_KINDS_H_
