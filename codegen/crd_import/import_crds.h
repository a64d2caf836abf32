#ifndef CODEGEN_CRD_IMPORT_IMPORT_CRDS_H_
#define CODEGEN_CRD_IMPORT_IMPORT_CRDS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace kube::codegen {

// A file with CustomResourceDefinitions.
struct CrdFile {
  // For errors.
  std::string name = {};
  // YAML documents or JSON, as kubectl reads them. Objects of other kinds are skipped.
  std::string text = {};
};

struct ImportCrdsOptions {
  // The groups and versions to import, such as "cert-manager.io/v1". Empty, the default, means all.
  std::vector<std::string> versions = {};
  // Prefix of the packages, and so of the C++ namespaces. Default: "kube.crd", so that
  // cert-manager.io/v1 is in kube::crd::io::cert_manager::v1. Change it if a program links two
  // imports of one group.
  std::string package_prefix = "kube.crd";
};

// The IDL of the kinds of one group and version.
struct ImportedIdl {
  std::string group = {};
  std::string version = {};
  // A .proto file, which kube_library takes.
  std::string text = {};
};

// Turns CustomResourceDefinitions into IDL, one file for each group and version, sorted by both.
// The text depends on the definitions alone: not on the names of files, nor on their order.
//
//   const absl::StatusOr<std::vector<ImportedIdl>> files =
//       ImportCrds({{.name = "crds.yaml", .text = yaml}}, {.versions = {"example.com/v1"}});
//
// docs/crds.md says what becomes of each part of a schema. Objects that the schema allows are
// written by the generated types as they were read, and the definition that kube_library writes of
// the IDL means what the imported one means.
//
// Returns INVALID_ARGUMENT with file, definition, path and reason if a file is not YAML or if an
// API server would refuse a definition; correct the file. Returns INVALID_ARGUMENT, too, if the
// prefix is no package, NOT_FOUND if a version of `options` is in no file, and RESOURCE_EXHAUSTED
// if a file is larger than 64 MiB or a version has more than 1,000 kinds or 100,000 properties.
// Pure and thread-safe.
absl::StatusOr<std::vector<ImportedIdl>> ImportCrds(absl::Span<const CrdFile> files,
                                                    const ImportCrdsOptions& options = {});

}  // namespace kube::codegen

#endif  // CODEGEN_CRD_IMPORT_IMPORT_CRDS_H_
