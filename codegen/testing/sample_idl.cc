#include "codegen/testing/sample_idl.h"

#include <google/protobuf/compiler/parser.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "kube/options.pb.h"

namespace kube::codegen {

namespace pb = google::protobuf;

namespace {

class Errors : public pb::io::ErrorCollector, public pb::DescriptorPool::ErrorCollector {
 public:
  void AddError(int line, int column, const std::string& message) override {
    std::cerr << line + 1 << ":" << column + 1 << ": " << message << std::endl;
  }
  void AddError(const std::string& file, const std::string& element, const pb::Message* /*proto*/,
                ErrorLocation /*place*/, const std::string& message) override {
    std::cerr << file << ": " << element << ": " << message << std::endl;
  }
};

}  // namespace

// The options come from the underlay, the pool of compiled-in files. The leaf types must not be
// compiled in: protobuf's class for kube.Time would be a second kube::Time besides that of
// apimachinery/types.
SampleIdl::SampleIdl() : pool_(pb::DescriptorPool::generated_pool()) {
  kube::GroupVersion::descriptor();
  std::ifstream file("codegen/types_proto-descriptor-set.proto.bin", std::ios::binary);
  pb::FileDescriptorSet types;
  if (!types.ParseFromIstream(&file) || types.file_size() != 1 ||
      pool_.BuildFile(types.file(0)) == nullptr) {
    std::cerr << "the descriptors of codegen/kube/types.proto cannot be read" << std::endl;
    std::abort();
  }
}

const pb::FileDescriptor& SampleIdl::Add(const std::string& path, absl::string_view text) {
  Errors errors;
  pb::io::ArrayInputStream stream(text.data(), static_cast<int>(text.size()));
  pb::io::Tokenizer tokenizer(&stream, &errors);
  pb::compiler::Parser parser;
  parser.RecordErrorsTo(&errors);
  pb::FileDescriptorProto proto;
  proto.set_name(path);
  const bool parsed = parser.Parse(&tokenizer, &proto);
  const pb::FileDescriptor* file =
      parsed ? pool_.BuildFileCollectingErrors(proto, &errors) : nullptr;
  if (file == nullptr) {
    std::cerr << "parse " << path << ":\n" << text << std::endl;
    std::abort();
  }
  return *file;
}

const pb::FileDescriptor& SampleIdl::AddBody(const std::string& name, absl::string_view text) {
  return Add(absl::StrCat("test/", name, ".proto"),
             absl::StrCat("syntax = \"proto3\"; package test.v1; import \"kube/options.proto\"; "
                          "import \"kube/types.proto\";\n",
                          text));
}

}  // namespace kube::codegen
