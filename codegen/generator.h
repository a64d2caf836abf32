#ifndef CODEGEN_GENERATOR_H_
#define CODEGEN_GENERATOR_H_

#include <google/protobuf/compiler/code_generator.h>
#include <google/protobuf/descriptor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kube::codegen {

// protoc-gen-kube: for each foo/types.proto the structs in foo/types.kube.h and their tables in
// foo/types.kube.cc, and the list of kinds in foo/types.kinds.kube.h and .cc; or, if its parameter
// says so (parameter.h), the typed clients or the informers of the kinds instead, or their CRDs. An
// error names the places of all that is wrong, a line each. Thread-compatible.
class Generator : public google::protobuf::compiler::CodeGenerator {
 public:
  uint64_t GetSupportedFeatures() const override { return FEATURE_PROTO3_OPTIONAL; }

  bool Generate(const google::protobuf::FileDescriptor* file, const std::string& parameter,
                google::protobuf::compiler::GeneratorContext* context,
                std::string* error) const override;

  bool GenerateAll(const std::vector<const google::protobuf::FileDescriptor*>& files,
                   const std::string& parameter,
                   google::protobuf::compiler::GeneratorContext* context,
                   std::string* error) const override;
};

}  // namespace kube::codegen

#endif  // CODEGEN_GENERATOR_H_
