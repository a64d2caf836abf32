#include "apimachinery/codec/testing/decode_every_way.h"

#include <cstring>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/sharing/sharing_store.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/testing/sample_object.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {
namespace {

using kube::table::Message;

// A buffer like PaddedBuffer, with a chosen byte in the padding and nothing after it.
class ExactBuffer {
 public:
  ExactBuffer(absl::string_view bytes, char padding)
      : memory_(std::make_unique<char[]>(bytes.size() + PaddedBuffer::kPadding)),
        size_(bytes.size()) {
    std::memset(memory_.get(), padding, size_ + PaddedBuffer::kPadding);
    if (size_ > 0) std::memcpy(memory_.get(), bytes.data(), size_);
  }

  absl::string_view view() const { return {memory_.get(), size_}; }

 private:
  std::unique_ptr<char[]> memory_;
  size_t size_;
};

absl::StatusOr<std::string> Encode(const void* object, const Message& message) {
  std::string wire;
  const absl::Status status = AppendProtobuf(wire, object, message);
  // Everything that can be read can be written.
  KUBE_CHECK_OK(status);
  return wire;
}

absl::StatusOr<std::string> IntoHeap(const Message& message, absl::string_view wire,
                                     const DecodeOptions& options) {
  SampleObject object(message);
  const absl::Status status =
      codec::DecodeInto(object.get(), message, codec::Encoding::kProtobuf, wire, options);
  if (!status.ok()) return status;
  return Encode(object.get(), message);
}

absl::StatusOr<std::string> IntoBlock(const Message& message, absl::string_view wire,
                                      SharedDecoder& decoder) {
  const auto object = decoder.DecodeAny(message, codec::Encoding::kProtobuf, wire);
  if (!object.ok()) return object.status();
  return Encode(object->get(), message);
}

void CheckSame(const absl::StatusOr<std::string>& a, const absl::StatusOr<std::string>& b) {
  KUBE_CHECK_EQ(a.status().message(), b.status().message());
  if (a.ok()) KUBE_CHECK(*a == *b);
}

}  // namespace

absl::StatusOr<std::string> DecodeEveryWay(const Message& message, absl::string_view wire,
                                           const DecodeOptions& options) {
  const ExactBuffer buffer(wire, '\x01');
  const ExactBuffer other(wire, '\xFF');
  const absl::StatusOr<std::string> result = IntoHeap(message, buffer.view(), options);
  CheckSame(result, IntoHeap(message, other.view(), options));
  SharedDecoder block_decoder(options);
  CheckSame(result, IntoBlock(message, buffer.view(), block_decoder));
  SharingStore store;
  SharedDecoder sharing_decoder(options, &store);
  // The first object keeps in the store what it shares.
  const auto held = sharing_decoder.DecodeAny(message, codec::Encoding::kProtobuf, buffer.view());
  CheckSame(result, IntoBlock(message, other.view(), sharing_decoder));
  if (held.ok()) CheckSame(result, Encode(held->get(), message));
  return result;
}

}  // namespace kube::codec::internal
