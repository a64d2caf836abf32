#ifndef APIMACHINERY_CODEC_STREAM_OBJECT_DOCUMENTS_H_
#define APIMACHINERY_CODEC_STREAM_OBJECT_DOCUMENTS_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/yaml/yaml_documents.h"

namespace kube::codec {

// One object of a stream, not decoded.
struct ObjectDocument {
  // Valid until the next call of Next.
  absl::string_view text;
  // In the envelope of Kubernetes; otherwise JSON or YAML, of which LooksLikeJson tells.
  bool is_protobuf = false;
  // Of a text: where in the stream it begins, from one. Columns count bytes.
  int first_line = 1;
  int first_column = 1;
};

// The objects in a file, whatever it is written in. (yaml.NewYAMLOrJSONDecoder, and what reads
// frames of protobuf: runtime/serializer/streaming)
//
//   ObjectDocuments documents(file);
//   while (true) {
//     KUBE_ASSIGN_OR_RETURN(std::optional<ObjectDocument> document, documents.Next());
//     if (!document.has_value()) break;
//     ...
//   }
//
// A file may be
//   - JSON: objects, one after the other, with or without white space between them;
//   - YAML: documents, separated by lines of "---"; objects of JSON may come before them;
//   - protobuf: one body, or several, each behind its size in four bytes, the highest first.
// Documents are not parsed here, only their ends found, so that a broken one is handed out as well.
// Thread-compatible.
class ObjectDocuments {
 public:
  // Keeps no copy: `stream` outlives this.
  explicit ObjectDocuments(const PaddedBuffer& stream);

  // The next one, or nullopt at the end. INVALID_ARGUMENT where a separator or a frame is broken;
  // after that comes the end.
  absl::StatusOr<std::optional<ObjectDocument>> Next();

 private:
  absl::StatusOr<std::optional<ObjectDocument>> NextFrame();
  absl::StatusOr<std::optional<ObjectDocument>> NextYaml();
  std::optional<ObjectDocument> NextJson();
  void Take(size_t bytes);

  absl::string_view rest_;
  int line_ = 1;
  int column_ = 1;
  bool is_framed_ = false;
  std::optional<YamlDocuments> yaml_;
  int yaml_first_line_ = 1;
};

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_STREAM_OBJECT_DOCUMENTS_H_
