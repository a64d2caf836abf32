#ifndef CODEGEN_DIAGNOSTICS_H_
#define CODEGEN_DIAGNOSTICS_H_

#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::codegen {

// Collects the errors in IDL files, each with its position: "foo/types.proto:12:3: message". Lines
// and columns start at 1. Thread-compatible.
class Diagnostics {
 public:
  void Error(const google::protobuf::Descriptor& at, absl::string_view message);
  void Error(const google::protobuf::FieldDescriptor& at, absl::string_view message);
  void Error(const google::protobuf::EnumDescriptor& at, absl::string_view message);
  void Error(const google::protobuf::OneofDescriptor& at, absl::string_view message);
  void Error(const google::protobuf::ServiceDescriptor& at, absl::string_view message);
  // Reports an error at the statement that `path` leads to in the FileDescriptorProto; {} is the
  // file.
  void Error(const google::protobuf::FileDescriptor& at, const std::vector<int>& path,
             absl::string_view message);

  // Adds the errors of `other`.
  void Merge(const Diagnostics& other);

  bool empty() const { return errors_.empty(); }
  // Returns the errors in the order in which they were found, without duplicates.
  const std::vector<std::string>& errors() const { return errors_; }

 private:
  void Add(const google::protobuf::FileDescriptor& file,
           const google::protobuf::SourceLocation& place, absl::string_view message);
  void Add(const std::string& error);

  std::vector<std::string> errors_;
};

}  // namespace kube::codegen

#endif  // CODEGEN_DIAGNOSTICS_H_
