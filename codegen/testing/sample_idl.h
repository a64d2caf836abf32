#ifndef CODEGEN_TESTING_SAMPLE_IDL_H_
#define CODEGEN_TESTING_SAMPLE_IDL_H_

#include <google/protobuf/descriptor.h>

#include <string>

#include "absl/strings/string_view.h"

namespace kube::codegen {

// IDL files in memory, with the vocabulary that they import. Thread-compatible.
class SampleIdl {
 public:
  SampleIdl();

  // Parses `text` as a new file `path`. Its imports must have been added before. Aborts the program
  // if protoc would reject it.
  const google::protobuf::FileDescriptor& Add(const std::string& path, absl::string_view text);

  // Does the same for a proto3 file "test/NAME.proto" of the package test.v1. Its first line
  // imports the vocabulary, so `text` starts on the second line.
  const google::protobuf::FileDescriptor& AddBody(const std::string& name, absl::string_view text);

 private:
  google::protobuf::DescriptorPool pool_;
};

}  // namespace kube::codegen

#endif  // CODEGEN_TESTING_SAMPLE_IDL_H_
