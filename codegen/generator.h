#ifndef CODEGEN_GENERATOR_H_
#define CODEGEN_GENERATOR_H_

#include <google/protobuf/compiler/code_generator.h>
#include <google/protobuf/descriptor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kube::codegen {

// protoc-gen-kube. For each foo/types.proto it writes the structs to foo/types.kube.h, their tables
// to foo/types.kube.cc, their apply configurations to foo/types.applies.kube.h and .cc, and the
// list of kinds to foo/types.kinds.kube.h and .cc. With a parameter (parameter.h) it writes the
// typed clients, the informers, the CRDs or the definitions of the kinds instead. An error has a
// line with the position of each mistake. Thread-compatible.
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
