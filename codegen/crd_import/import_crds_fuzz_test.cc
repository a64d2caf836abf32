// A schema as JSON, or any text as a file: an import ends with an error or with IDL, is the same
// each time, and has no line that is neither IDL nor a comment because of a text in the schema. The
// generator takes the IDL, and nothing that it makes of it ends a comment in C++.

#include <google/protobuf/compiler/parser.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/check.h"
#include "codegen/crd_import/import_crds.h"
#include "codegen/diagnostics.h"
#include "codegen/header.h"
#include "codegen/model.h"
#include "kube/options.pb.h"

namespace kube::codegen {

namespace pb = google::protobuf;

namespace {

// What the IDL imports, as far as it has names of it. kube/types.proto cannot be compiled in:
// protobuf's class for kube.Time would be a second kube::Time.
constexpr absl::string_view kTypes =
    "syntax = \"proto3\"; package kube; message Time {} message Quantity {} "
    "message IntOrString {} message Value {}";
constexpr absl::string_view kMeta =
    "syntax = \"proto3\"; package kube.api.meta.v1; message ObjectMeta { string name = 1; } "
    "message ListMeta { string continue = 1; }";

std::string Definition(absl::string_view schema) {
  return absl::StrCat(
      R"({"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
          "metadata": {"name": "widgets.example.com"},
          "spec": {"group": "example.com", "scope": "Cluster",
                   "names": {"kind": "Widget", "plural": "widgets"},
                   "versions": [{"name": "v1", "served": true, "storage": true,
                                 "schema": {"openAPIV3Schema": )",
      schema, "}}]}}");
}

// Returns whether the quotes of a line are in pairs.
bool HasPairsOfQuotes(absl::string_view line) {
  bool is_open = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (is_open && line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      is_open = !is_open;
    }
  }
  return !is_open;
}

void CheckIdl(absl::string_view text) {
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    for (const char c : line) {
      const auto byte = static_cast<unsigned char>(c);
      KUBE_CHECK(!absl::ascii_iscntrl(byte) || byte == '\t');
    }
    const absl::string_view statement = absl::StripLeadingAsciiWhitespace(line);
    if (statement.substr(0, 2) == "//") continue;
    KUBE_CHECK(HasPairsOfQuotes(statement)) << statement;
    if (statement.empty()) continue;
    const char last = statement.back();
    const bool is_option = statement.find(": ") != statement.npos;
    KUBE_CHECK(is_option || last == ';' || last == '{' || last == '}' || last == '[' || last == ',')
        << statement;
  }
}

// Nothing that is imported may be an error.
class NoErrors : public pb::io::ErrorCollector, public pb::DescriptorPool::ErrorCollector {
 public:
  void AddError(int line, int column, const std::string& message) override {
    KUBE_CHECK(false) << line + 1 << ":" << column + 1 << ": " << message;
  }
  void AddError(const std::string& file, const std::string& element, const pb::Message* /*proto*/,
                ErrorLocation /*place*/, const std::string& message) override {
    KUBE_CHECK(false) << file << ": " << element << ": " << message;
  }
};

// Parses a file as protoc does.
const pb::FileDescriptor& Parse(const std::string& name, absl::string_view text,
                                pb::DescriptorPool& pool) {
  NoErrors errors;
  pb::io::ArrayInputStream stream(text.data(), static_cast<int>(text.size()));
  pb::io::Tokenizer tokenizer(&stream, &errors);
  pb::compiler::Parser parser;
  parser.RecordErrorsTo(&errors);
  pb::FileDescriptorProto proto;
  proto.set_name(name);
  KUBE_CHECK(parser.Parse(&tokenizer, &proto)) << name;
  const pb::FileDescriptor* file = pool.BuildFileCollectingErrors(proto, &errors);
  KUBE_CHECK(file != nullptr) << name;
  return *file;
}

// The generator refuses nothing of the IDL.
void CheckGenerator(absl::string_view text) {
  kube::GroupVersion::descriptor();
  pb::DescriptorPool pool(pb::DescriptorPool::generated_pool());
  Parse("kube/types.proto", kTypes, pool);
  Parse("api/meta/v1/types.proto", kMeta, pool);
  const pb::FileDescriptor& file = Parse("imported.proto", text, pool);
  Diagnostics of_structs, of_twins;
  const std::optional<File> structs = BuildFile(file, of_structs);
  BuildApplyConfigurations(file, of_twins);
  of_structs.Merge(of_twins);
  KUBE_CHECK(of_structs.empty()) << absl::StrJoin(of_structs.errors(), "\n");
  const std::string header = PrintHeader(*structs);
  for (const absl::string_view line : absl::StrSplit(header, '\n')) {
    // It would continue on the next line.
    KUBE_CHECK(!absl::EndsWith(line, "\\") && !absl::EndsWith(line, "?\?/")) << line;
  }
}

void CheckInput(const std::string& text) {
  const bool is_schema = text.substr(0, 1) == "{";
  const std::vector<CrdFile> files = {
      {.name = "fuzz", .text = is_schema ? Definition(text) : text}};
  const absl::StatusOr<std::vector<ImportedIdl>> imported = ImportCrds(files);
  const absl::StatusOr<std::vector<ImportedIdl>> again = ImportCrds(files);
  KUBE_CHECK_EQ(imported.ok(), again.ok());
  if (!imported.ok()) {
    KUBE_CHECK(!imported.status().message().empty());
    return;
  }
  KUBE_CHECK_EQ(imported->size(), again->size());
  for (size_t i = 0; i < imported->size(); ++i) {
    KUBE_CHECK((*imported)[i].text == (*again)[i].text);
    CheckIdl((*imported)[i].text);
    CheckGenerator((*imported)[i].text);
  }
}

}  // namespace
}  // namespace kube::codegen

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kube::codegen::CheckInput({reinterpret_cast<const char*>(data), size});
  return 0;
}
