#ifndef APIMACHINERY_CODEC_SHARING_SHARED_DECODER_H_
#define APIMACHINERY_CODEC_SHARING_SHARED_DECODER_H_

#include <cstddef>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/table/message.h"

namespace kube::codec {

class SharingStore;

// Decodes objects for caches. Each object is a std::shared_ptr<const T> in one block of memory of
// exactly its size, which also holds the control block. This takes less memory and much less time
// than many small allocations, and destroying the object is one free. With a SharingStore, values
// that objects have in common are kept once.
//
//   codec::SharingStore store;  // one for a cache
//   codec::SharedDecoder decoder({.projection = &*projection}, &store);
//   const codec::PaddedBuffer json(kPod);
//   absl::StatusOr<std::shared_ptr<const corev1::Pod>> pod = decoder.DecodeJson<corev1::Pod>(json);
//   ...
//   corev1::Pod mine = **pod;  // a copy to change, with memory of its own
//
// The object must not be changed. An aliasing shared_ptr to a part of the object keeps all of it
// alive. A weak_ptr keeps the block's memory, but not values in the store. The objects are
// independent of the decoder and of the input.
//
// Thread-compatible: scratch memory is reused by the next call. No function blocks.
class SharedDecoder {
 public:
  // `store` may be null; otherwise it must outlive the decoder. A projection applies only to the
  // type for which it was made; objects of other types are decoded completely.
  explicit SharedDecoder(const DecodeOptions& options = {}, SharingStore* store = nullptr);
  SharedDecoder(const SharedDecoder&) = delete;
  SharedDecoder& operator=(const SharedDecoder&) = delete;
  ~SharedDecoder();

  // Decode one JSON object, or one protobuf message without an envelope. Returns INVALID_ARGUMENT
  // if the input is not an encoded T, with the place and the cause in the message. Returns
  // RESOURCE_EXHAUSTED if the input is larger than 512 MiB, or the object needs 4 GiB of memory.
  template <typename T>
  absl::StatusOr<std::shared_ptr<const T>> DecodeJson(const PaddedBuffer& json) {
    return Decode<T>(codec::Encoding::kJson, json.view());
  }
  template <typename T>
  absl::StatusOr<std::shared_ptr<const T>> DecodeProtobuf(const PaddedBuffer& message) {
    return Decode<T>(codec::Encoding::kProtobuf, message.view());
  }

  // Does the same for a type that is known at run time. `bytes` must be part of a PaddedBuffer, so
  // that 64 bytes after them are readable.
  absl::StatusOr<std::shared_ptr<const void>> DecodeAny(const kube::table::Message& message,
                                                        codec::Encoding encoding,
                                                        absl::string_view bytes);

  // A JSON object at the start of a text, and the number of bytes that it takes.
  struct Prefix {
    std::shared_ptr<const void> object;
    size_t size = 0;
  };

  // Decodes the JSON object, or null, at the start of `text`, for readers of streams. `text` must
  // be valid UTF-8 and part of a PaddedBuffer. Returns INVALID_ARGUMENT also if the object is cut
  // off. After an error, decode the object again with the next call, for example with DecodeAny:
  // that call adds no values to the store, because they would count as seen twice.
  absl::StatusOr<Prefix> DecodeJsonPrefix(const kube::table::Message& message,
                                          absl::string_view text);

 private:
  struct State;

  template <typename T>
  absl::StatusOr<std::shared_ptr<const T>> Decode(codec::Encoding encoding,
                                                  absl::string_view bytes) {
    absl::StatusOr<std::shared_ptr<const void>> object = DecodeAny(T::kMessage, encoding, bytes);
    if (!object.ok()) return std::move(object).status();
    return std::static_pointer_cast<const T>(*std::move(object));
  }

  std::unique_ptr<State> state_;
};

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_SHARING_SHARED_DECODER_H_
