#include "cmd/objconv/object_writer.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "cmd/objconv/command_line.h"

namespace kube::objconv {

absl::Status ObjectWriter::Write(const codec::AnyObject& object) {
  if (format_ == Format::kProtobuf) return WriteProtobuf(object);
  if (format_ == Format::kJson) {
    KUBE_ASSIGN_OR_RETURN(const std::string json, object.EncodeJson({.final_newline = true}));
    text_ += json;
  } else {
    KUBE_ASSIGN_OR_RETURN(const std::string yaml, object.EncodeYaml());
    absl::StrAppend(&text_, is_first_ ? "" : "---\n", yaml);
  }
  is_first_ = false;
  return absl::OkStatus();
}

absl::Status ObjectWriter::WriteProtobuf(const codec::AnyObject& object) {
  KUBE_ASSIGN_OR_RETURN(std::string body, object.EncodeProtobuf());
  if (is_first_) {
    only_body_ = std::move(body);
    is_first_ = false;
    return absl::OkStatus();
  }
  if (only_body_.has_value()) WriteFrame(*std::exchange(only_body_, std::nullopt));
  WriteFrame(body);
  return absl::OkStatus();
}

void ObjectWriter::WriteFrame(const std::string& body) {
  const auto size = static_cast<uint32_t>(body.size());
  for (const int shift : {24, 16, 8, 0}) text_ += static_cast<char>(size >> shift);
  text_ += body;
}

std::string ObjectWriter::Take(bool is_end) {
  if (is_end && only_body_.has_value()) text_ += *std::exchange(only_body_, std::nullopt);
  return std::exchange(text_, "");
}

}  // namespace kube::objconv
