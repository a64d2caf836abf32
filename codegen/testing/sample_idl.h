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

  // Parses `text` as `path`, which no file of before has. What it imports was added before. Stops
  // the program if protoc would not accept it.
  const google::protobuf::FileDescriptor& Add(const std::string& path, absl::string_view text);

  // The same, of a proto3 file "test/NAME.proto" of package test.v1 that imports the vocabulary in
  // its first line, so that `text` begins in its second.
  const google::protobuf::FileDescriptor& AddBody(const std::string& name, absl::string_view text);

 private:
  google::protobuf::DescriptorPool pool_;
};

}  // namespace kube::codegen

#endif  // CODEGEN_TESTING_SAMPLE_IDL_H_
