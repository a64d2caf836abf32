#ifndef CODEGEN_KINDS_H_
#define CODEGEN_KINDS_H_

#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

#include "codegen/diagnostics.h"

// The kinds of an IDL file: the members of kube::KindInfo. Plain values: thread-compatible.

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
  std::vector<std::string> verbs;  // all verbs if the IDL names none for a resource
  std::vector<SubresourceEntry> subresources;
  bool has_definition = false;  // whether the IDL has annotations for its CRD
  std::string list_of;
  std::string introduced;
  std::string deprecated;
  std::string removed;
  std::string replacement;
};

// Returns the kinds of a file that passed CheckIdl, in the order of the file. Reports errors in
// them.
std::vector<KindEntry> BuildKinds(const google::protobuf::FileDescriptor& file,
                                  Diagnostics& diagnostics);

// Reports packages with kinds in more than one of `files` and of their imports, because a namespace
// has one function Kinds().
void CheckOneFileHasKinds(const std::vector<const google::protobuf::FileDescriptor*>& files,
                          Diagnostics& diagnostics);

}  // namespace kube::codegen

#endif  // CODEGEN_KINDS_H_
