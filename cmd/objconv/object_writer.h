#ifndef CMD_OBJCONV_OBJECT_WRITER_H_
#define CMD_OBJCONV_OBJECT_WRITER_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "apimachinery/codec/any_object.h"
#include "cmd/objconv/command_line.h"

namespace kube::objconv {

// Writes objects one after the other, as kUsage says. Thread-compatible.
class ObjectWriter {
 public:
  explicit ObjectWriter(Format format) : format_(format) {}

  // INVALID_ARGUMENT where the object cannot be written in this format; nothing of it is then.
  absl::Status Write(const codec::AnyObject& object);

  // What has been written since the last call. The first object of protobuf is held back until it
  // is known whether it is the only one: `is_end`.
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
