#ifndef APIMACHINERY_CODEC_YAML_YAML_DOCUMENTS_H_
#define APIMACHINERY_CODEC_YAML_YAML_DOCUMENTS_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::codec {

// One document of a stream.
struct YamlDocument {
  // May begin with a separator line, where nothing came before that, and may hold nothing but
  // comments. Valid until the next call of Next.
  absl::string_view text;
  // The line of the stream at which it begins, from one: YamlToJsonOptions::first_line.
  int first_line = 1;
};

// The documents of a text such as kubectl reads, split at lines that begin with "---" as
// apimachinery's NewYAMLReader does it. (Its NewDocumentDecoder also drops what follows "---".)
//
//   YamlDocuments documents(file);
//   while (true) {
//     KUBE_ASSIGN_OR_RETURN(std::optional<YamlDocument> document, documents.Next());
//     if (!document.has_value()) break;
//     ... YamlToJson(document->text, {.first_line = document->first_line}) ...
//   }
//
// Documents are not parsed here, and those without content are handed out: null. Thread-compatible.
class YamlDocuments {
 public:
  // Keeps no copy: `stream` outlives this.
  explicit YamlDocuments(absl::string_view stream) : rest_(stream) {}

  // The next document, or nullopt at the end. INVALID_ARGUMENT with the line, where something other
  // than a comment follows a separator; after that comes the end.
  absl::StatusOr<std::optional<YamlDocument>> Next();

 private:
  absl::string_view TakeLine();

  absl::string_view rest_;
  // How many lines have been taken.
  int line_ = 0;
  // The last document, where its last line does not end.
  std::string last_;
};

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_YAML_YAML_DOCUMENTS_H_
