#ifndef CODEGEN_DEFINITIONS_DEFINITIONS_H_
#define CODEGEN_DEFINITIONS_DEFINITIONS_H_

#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

#include "codegen/diagnostics.h"

namespace kube::codegen {

// Returns what OpenAPI documents say of the messages of `files` and their field tables do not:
// names of definitions, descriptions, defaults, enums. A server that publishes documents reads it
// (apiserver/openapi/struct_facts.h); no other program links it. It has two kinds of lines:
//
// - "= io.k8s.api.apps.v1. apps/v1 ControllerRevision" begins a file. It has the beginning of the
//   names of the file's definitions, and one of its kinds, by which a program finds the file's
//   tables.
// - "DeploymentSpec {JSON}" is a message with its facts, which follow. Messages without facts have
// no
//   line.
//
// The facts of a message are `name`, the name of its definition if it is not the message's;
// `description`, its comment; and `properties`, by JSON name, those fields that have facts of their
// own. The facts of a field are `description`, its comment and the meanings of the values of its
// enum; `default`, if the IDL gives one; `enum`, the only values of the string, or of the elements;
// and `required`, if it is not what the table implies: that a field is required which is always
// written and is neither an Opt nor a Box.
//
// The files must have passed CheckIdl. Reports files without kinds and defaults that are not JSON.
// Pure and thread-safe.
std::string PrintDefinitions(const std::vector<const google::protobuf::FileDescriptor*>& files,
                             Diagnostics& diagnostics);

}  // namespace kube::codegen

#endif  // CODEGEN_DEFINITIONS_DEFINITIONS_H_
