#ifndef CODEGEN_DIAGNOSTICS_H_
#define CODEGEN_DIAGNOSTICS_H_

#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::codegen {

// The errors found in IDL files, each with its place: "foo/types.proto:12:3: message". Lines and
// columns count from 1. Thread-compatible.
class Diagnostics {
 public:
  void Error(const google::protobuf::Descriptor& at, absl::string_view message);
  void Error(const google::protobuf::FieldDescriptor& at, absl::string_view message);
  void Error(const google::protobuf::EnumDescriptor& at, absl::string_view message);
  void Error(const google::protobuf::OneofDescriptor& at, absl::string_view message);
  void Error(const google::protobuf::ServiceDescriptor& at, absl::string_view message);
  // At the statement of a file that `path` of its FileDescriptorProto leads to; {} is the file.
  void Error(const google::protobuf::FileDescriptor& at, const std::vector<int>& path,
             absl::string_view message);

  // Adds the errors of another.
  void Merge(const Diagnostics& other);

  bool empty() const { return errors_.empty(); }
  // In the order found, each once.
  const std::vector<std::string>& errors() const { return errors_; }

 private:
  void Add(const google::protobuf::FileDescriptor& file,
           const google::protobuf::SourceLocation& place, absl::string_view message);
  void Add(const std::string& error);

  std::vector<std::string> errors_;
};

}  // namespace kube::codegen

#endif  // CODEGEN_DIAGNOSTICS_H_
