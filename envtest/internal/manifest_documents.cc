#include "envtest/internal/manifest_documents.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/stream/object_documents.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/type_meta.h"
#include "apimachinery/codec/yaml/yaml_to_json.h"
#include "envtest/internal/manifest_files.h"

namespace kube::envtest::internal {
namespace {

absl::Status Visit(const codec::ObjectDocument& document, VisitDocument visit) {
  if (document.is_protobuf) return absl::OkStatus();
  KUBE_ASSIGN_OR_RETURN(codec::JsonFromYaml json,
                        codec::YamlToJson(document.text, {.first_line = document.first_line}));
  if (json.json == "null") return absl::OkStatus();
  ManifestDocument found;
  found.text = document.text;
  found.first_line = document.first_line;
  found.json = std::move(json.json);
  KUBE_ASSIGN_OR_RETURN(found.type, codec::TypeMetaOfJson(found.json));
  return visit(found);
}

// `source` is what errors call the text.
absl::Status VisitText(absl::string_view text, absl::string_view source, VisitDocument visit) {
  const codec::PaddedBuffer buffer(text);
  codec::ObjectDocuments documents(buffer);
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::optional<codec::ObjectDocument> document, documents.Next(),
                          "read ", source);
    if (!document.has_value()) return absl::OkStatus();
    KUBE_RETURN_IF_ERROR(Visit(*document, visit), "read ", source, ", document at line ",
                         document->first_line);
  }
}

}  // namespace

absl::Status VisitManifests(const std::vector<std::string>& paths, absl::string_view manifest,
                            VisitDocument visit) {
  for (const std::string& path : paths) {
    KUBE_ASSIGN_OR_RETURN(const std::vector<std::string> files, ManifestFiles(path));
    for (const std::string& file : files) {
      KUBE_ASSIGN_OR_RETURN(const std::string text, ReadManifestFile(file));
      KUBE_RETURN_IF_ERROR(VisitText(text, absl::StrCat("\"", file, "\""), visit));
    }
  }
  return VisitText(manifest, "manifest", visit);
}

}  // namespace kube::envtest::internal
