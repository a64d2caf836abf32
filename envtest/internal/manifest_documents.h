#ifndef ENVTEST_INTERNAL_MANIFEST_DOCUMENTS_H_
#define ENVTEST_INTERNAL_MANIFEST_DOCUMENTS_H_

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/type_meta.h"

// The objects in manifests, which are not decoded. Thread-safe.
namespace kube::envtest::internal {

// One object of a manifest. Valid during the call that receives it.
struct ManifestDocument {
  // YAML or JSON, as it stands in the manifest, and the line at which it begins there.
  absl::string_view text = {};
  int first_line = 1;
  // The same as JSON, and what it says about its type.
  std::string json = {};
  codec::TypeMeta type = {};
};

using VisitDocument = absl::FunctionRef<absl::Status(const ManifestDocument&)>;

// Calls `visit` for each object in the files and directories of `paths`, in the order of
// ManifestFiles, and then for each object of `manifest`. Skips empty documents and protobuf.
// Returns NOT_FOUND if a path does not exist, INVALID_ARGUMENT if a document is malformed, and the
// first error of `visit`. The message begins with the file, or "manifest", and the document's line.
absl::Status VisitManifests(const std::vector<std::string>& paths, absl::string_view manifest,
                            VisitDocument visit);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_INTERNAL_MANIFEST_DOCUMENTS_H_
