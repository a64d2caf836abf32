#ifndef CMD_OBJCONV_OBJECT_WRITER_H_
#define CMD_OBJCONV_OBJECT_WRITER_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "apimachinery/codec/any_object.h"
#include "cmd/objconv/command_line.h"

namespace kube::objconv {

// Writes objects one after the other in a format, as kUsage describes. Thread-compatible.
class ObjectWriter {
 public:
  explicit ObjectWriter(Format format) : format_(format) {}

  // Writes an object. Returns INVALID_ARGUMENT, and writes nothing, if the format cannot represent
  // it.
  absl::Status Write(const codec::AnyObject& object);

  // Returns what was written since the last call. In protobuf, the first object is held back until
  // a second one follows or `is_end` is true, since a single object is written without its size.
  std::string Take(bool is_end);

 private:
  absl::Status WriteProtobuf(const codec::AnyObject& object);
  void WriteFrame(const std::string& body);

  Format format_;
  bool is_first_ = true;
  std::string text_;
  std::optional<std::string> only_body_;
};

}  // namespace kube::objconv

#endif  // CMD_OBJCONV_OBJECT_WRITER_H_
