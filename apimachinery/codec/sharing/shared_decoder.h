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

// Decodes objects for caches: each becomes a std::shared_ptr<const T>, in one block of memory of
// exactly its size, which the control block is part of. It takes less memory and a fraction of the
// time of many small pieces, and one free to destroy. With a SharingStore, what objects have in
// common is kept once.
//
//   SharingStore store;                          // one for a cache
//   SharedDecoder decoder({}, &store);
//   absl::StatusOr<std::shared_ptr<const corev1::Pod>> pod =
//       decoder.DecodeProtobuf<corev1::Pod>(bytes);
//   corev1::Pod mine = **pod;                    // a copy to change, with memory of its own
//
// The object is read-only for everybody, all the way down. A shared_ptr to a part of it keeps all
// of it, as does a weak_ptr, but for what is in the store. Thread-compatible: it keeps its scratch
// memory from call to call. The objects are independent of it and of the bytes.
class SharedDecoder {
 public:
  // `store` may be null, and must outlive the decoder. A projection holds for the type it was made
  // for; objects of other types are decoded whole.
  explicit SharedDecoder(const DecodeOptions& options = {}, SharingStore* store = nullptr);
  SharedDecoder(const SharedDecoder&) = delete;
  SharedDecoder& operator=(const SharedDecoder&) = delete;
  ~SharedDecoder();

  // One JSON object, or one protobuf message without an envelope. INVALID_ARGUMENT where it is not
  // one of a T: the message says where and why. RESOURCE_EXHAUSTED for one of more than 512 MiB, or
  // that would need 4 GiB of memory.
  template <typename T>
  absl::StatusOr<std::shared_ptr<const T>> DecodeJson(const PaddedBuffer& json) {
    return Decode<T>(codec::Encoding::kJson, json.view());
  }
  template <typename T>
  absl::StatusOr<std::shared_ptr<const T>> DecodeProtobuf(const PaddedBuffer& message) {
    return Decode<T>(codec::Encoding::kProtobuf, message.view());
  }

  // The same of any type. `bytes` are part of a PaddedBuffer: 64 bytes after them are readable.
  absl::StatusOr<std::shared_ptr<const void>> DecodeAny(const kube::table::Message& message,
                                                        codec::Encoding encoding,
                                                        absl::string_view bytes);

  // The JSON object that `text`, which is UTF-8, begins with, and its size: for readers of streams.
  // An error where it is not there as a whole: what was seen of it is then not seen for a second
  // time when it is decoded once more, with DecodeAny as the next call.
  struct Prefix {
    std::shared_ptr<const void> object;
    size_t size = 0;
  };
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
