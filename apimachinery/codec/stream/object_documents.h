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

// One object of a stream, which is not decoded.
struct ObjectDocument {
  // Valid until the next call of Next.
  absl::string_view text;
  // Whether this is a body with the envelope of Kubernetes. Otherwise it is JSON or YAML;
  // LooksLikeJson tells which.
  bool is_protobuf = false;
  // For text: where it begins in the stream. Lines and columns count from 1, columns in bytes.
  int first_line = 1;
  int first_column = 1;
};

// Splits a file into the objects that it contains, whatever format it has (client-go:
// `yaml.NewYAMLOrJSONDecoder`, and the package `runtime/serializer/streaming` for protobuf).
//
//   ObjectDocuments documents(file);
//   while (true) {
//     KUBE_ASSIGN_OR_RETURN(std::optional<ObjectDocument> document, documents.Next());
//     if (!document.has_value()) break;
//     ...
//   }
//
// A file may be one of these:
// - JSON: objects one after another, with or without white space between them.
// - YAML: documents separated by lines of "---". JSON objects may precede them.
// - Protobuf: one body, or several bodies, each preceded by its size in four bytes, most
//   significant byte first.
//
// Only the ends of documents are found here; documents are not parsed, so a malformed one is handed
// out as well. Thread-compatible.
class ObjectDocuments {
 public:
  // Reads `stream` without copying it; `stream` must outlive this object.
  explicit ObjectDocuments(const PaddedBuffer& stream);

  // Returns the next object, or nullopt at the end. Returns INVALID_ARGUMENT if a separator or a
  // frame is malformed; the call after that returns nullopt.
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
