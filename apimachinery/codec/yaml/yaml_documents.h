#ifndef APIMACHINERY_CODEC_YAML_YAML_DOCUMENTS_H_
#define APIMACHINERY_CODEC_YAML_YAML_DOCUMENTS_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::codec {

// One document of a stream.
struct YamlDocument {
  // Begins with a separator line if nothing precedes that line, and may consist of comments only.
  // Valid until the next call of Next.
  absl::string_view text;
  // The line of the stream at which the document begins, counted from 1, for
  // YamlToJsonOptions::first_line.
  int first_line = 1;
};

// Splits a text into YAML documents at lines that begin with "---" (client-go:
// `yaml.NewYAMLReader`, which kubectl uses; its `NewDocumentDecoder` also drops the rest of the
// separator line).
//
//   codec::YamlDocuments documents(file);
//   while (true) {
//     KUBE_ASSIGN_OR_RETURN(const auto document, documents.Next());
//     if (!document.has_value()) return deployments;
//     KUBE_ASSIGN_OR_RETURN(auto deployment, codec::DecodeYaml<appsv1::Deployment>(
//                                                document->text, {}, document->first_line));
//     deployments.push_back(std::move(deployment));
//   }
//
// Documents are not parsed here, and a document without content is handed out, which means null.
// Thread-compatible.
class YamlDocuments {
 public:
  // Reads `stream` without copying it; `stream` must outlive this object.
  explicit YamlDocuments(absl::string_view stream) : rest_(stream) {}

  // Returns the next document, or nullopt at the end. Returns INVALID_ARGUMENT with the line if
  // anything other than a comment follows a separator; the call after that returns nullopt.
  absl::StatusOr<std::optional<YamlDocument>> Next();

 private:
  absl::string_view TakeLine();

  absl::string_view rest_;
  // The number of lines that have been taken.
  int line_ = 0;
  // A copy of the last document with a line break, if its last line has none.
  std::string last_;
};

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_YAML_YAML_DOCUMENTS_H_
