#include "codegen/generator.h"

#include <google/protobuf/compiler/code_generator.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codegen/check_idl.h"
#include "codegen/clients.h"
#include "codegen/clients_text.h"
#include "codegen/crds/crds.h"
#include "codegen/definitions/definitions.h"
#include "codegen/diagnostics.h"
#include "codegen/header.h"
#include "codegen/informers.h"
#include "codegen/informers_text.h"
#include "codegen/kinds.h"
#include "codegen/kinds_text.h"
#include "codegen/model.h"
#include "codegen/names.h"
#include "codegen/parameter.h"
#include "codegen/source.h"

namespace kube::codegen {

namespace pb = google::protobuf;

namespace {

void Write(pb::compiler::GeneratorContext& context, const std::string& path,
           const std::string& text) {
  const std::unique_ptr<pb::io::ZeroCopyOutputStream> stream(context.Open(path));
  pb::io::CodedOutputStream(stream.get()).WriteString(text);
}

void GenerateTypes(const pb::FileDescriptor& descriptor, pb::compiler::GeneratorContext& context,
                   Diagnostics& diagnostics) {
  Diagnostics own;
  const std::optional<File> file = BuildFile(descriptor, own);
  const std::optional<File> applies =
      file.has_value() ? BuildApplyConfigurations(descriptor, own) : std::nullopt;
  if (!applies.has_value()) return diagnostics.Merge(own);
  const absl::StatusOr<std::string> tables = PrintSource(*file);
  const absl::StatusOr<std::string> applies_tables = PrintSource(*applies);
  for (const absl::Status& status : {tables.status(), applies_tables.status()}) {
    if (!status.ok()) return diagnostics.Error(descriptor, {}, std::string(status.message()));
  }
  const std::string& path = descriptor.name();
  Write(context, HeaderPath(path), PrintHeader(*file));
  Write(context, SourcePath(path), *tables);
  Write(context, AppliesHeaderPath(path), PrintHeader(*applies));
  Write(context, AppliesSourcePath(path), *applies_tables);
  Write(context, KindsHeaderPath(path), PrintKindsHeader(*file));
  Write(context, KindsSourcePath(path), PrintKindsSource(*file));
}

void GenerateClients(const pb::FileDescriptor& descriptor,
                     const std::vector<const pb::FileDescriptor*>& files,
                     const ClientRequest& request, pb::compiler::GeneratorContext& context,
                     Diagnostics& diagnostics) {
  Diagnostics own;
  if (const std::optional<File> file = BuildFile(descriptor, own)) {
    const ClientFile clients = BuildClients(*file, descriptor, files, request, own);
    if (own.empty()) Write(context, request.header, PrintClients(clients));
  }
  diagnostics.Merge(own);
}

void GenerateCrds(const std::vector<const pb::FileDescriptor*>& files, const std::string& path,
                  pb::compiler::GeneratorContext& context, Diagnostics& diagnostics) {
  for (const pb::FileDescriptor* file : files) CheckIdl(*file, diagnostics);
  if (!diagnostics.empty()) return;
  const std::string text = PrintCrds(files, diagnostics);
  if (diagnostics.empty()) Write(context, path, text);
}

void GenerateDefinitions(const std::vector<const pb::FileDescriptor*>& files,
                         const std::string& path, pb::compiler::GeneratorContext& context,
                         Diagnostics& diagnostics) {
  for (const pb::FileDescriptor* file : files) CheckIdl(*file, diagnostics);
  if (!diagnostics.empty()) return;
  const std::string text = PrintDefinitions(files, diagnostics);
  if (diagnostics.empty()) Write(context, path, text);
}

void GenerateInformers(const pb::FileDescriptor& descriptor, const InformerRequest& request,
                       pb::compiler::GeneratorContext& context, Diagnostics& diagnostics) {
  Diagnostics own;
  if (const std::optional<File> file = BuildFile(descriptor, own)) {
    const InformerFile informers = BuildInformers(*file, descriptor, request, own);
    if (own.empty()) Write(context, request.header, PrintInformers(informers));
  }
  diagnostics.Merge(own);
}

}  // namespace

bool Generator::Generate(const pb::FileDescriptor* file, const std::string& parameter,
                         pb::compiler::GeneratorContext* context, std::string* error) const {
  return GenerateAll({file}, parameter, context, error);
}

bool Generator::GenerateAll(const std::vector<const pb::FileDescriptor*>& files,
                            const std::string& parameter, pb::compiler::GeneratorContext* context,
                            std::string* error) const {
  const absl::StatusOr<Parameter> parsed = ParseParameter(parameter);
  if (!parsed.ok()) {
    *error = std::string(parsed.status().message());
    return false;
  }
  const Parameter& wanted = *parsed;
  Diagnostics diagnostics;
  CheckOneFileHasKinds(files, diagnostics);
  if (!wanted.crds.empty()) GenerateCrds(files, wanted.crds, *context, diagnostics);
  if (!wanted.definitions.empty()) {
    GenerateDefinitions(files, wanted.definitions, *context, diagnostics);
  }
  for (const pb::FileDescriptor* file : files) {
    const auto clients = wanted.clients.find(file->name());
    if (clients != wanted.clients.end()) {
      GenerateClients(*file, files, clients->second, *context, diagnostics);
    }
    const auto informers = wanted.informers.find(file->name());
    if (informers != wanted.informers.end()) {
      GenerateInformers(*file, informers->second, *context, diagnostics);
    }
    if (wanted.clients.empty() && wanted.informers.empty() && wanted.crds.empty() &&
        wanted.definitions.empty()) {
      GenerateTypes(*file, *context, diagnostics);
    }
  }
  if (diagnostics.empty()) return true;
  // protoc writes "--kube_out: " before the message; positions are easier to follow at the start of
  // a line.
  *error = absl::StrCat("\n", absl::StrJoin(diagnostics.errors(), "\n"));
  return false;
}

}  // namespace kube::codegen
