#ifndef APIMACHINERY_CODEC_LIST_READER_H_
#define APIMACHINERY_CODEC_LIST_READER_H_

#include <cstddef>
#include <memory>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/internal/list_format.h"
#include "apimachinery/codec/shared_decoder.h"
#include "apimachinery/types/internal/message.h"
#include "apimachinery/types/message_type.h"

namespace kube::codec {

namespace internal {

// ListReader of any type.
class ListReaderCore {
 public:
  // `header` is a struct of type `list`, zero and owned by the caller.
  ListReaderCore(ContentType content_type, SharedDecoder& decoder,
                 const kube::internal::Message& list, char* header, size_t max_item_bytes);
  ~ListReaderCore();

  absl::Status Append(absl::string_view bytes, OnListItem on_item);
  absl::Status Finish();

 private:
  std::unique_ptr<ListFormat> format_;
  absl::Status status_;
};

}  // namespace internal

struct ListReaderOptions {
  // No item, and nothing else in the list, may be larger. Default: 256 MiB, far more than a server
  // stores; a SharedDecoder takes up to 512 MiB.
  size_t max_item_bytes = size_t{256} << 20;
};

// Decodes the body of a list while it arrives. Each item is handed out as soon as its last byte is
// there, and its bytes are forgotten: neither the whole body nor a list of all items is ever in
// memory. client-go reads the whole body first, then decodes all of it.
//
// Kind and apiVersion of items are those on the wire: lists have none. Nobody writes "items" twice,
// two lists in one protobuf envelope, or an envelope without a list: here these are errors, though
// a body as a whole may be decoded with them.
//
//   SharedDecoder decoder({}, &store);
//   ListReader<corev1::PodList, corev1::Pod> reader(ContentType::kProtobuf, decoder);
//   while (Read(body, chunk)) {
//     absl::Status status = reader.Append(chunk, [&](std::shared_ptr<const corev1::Pod> pod) {
//       pods.push_back(std::move(pod));
//       return absl::OkStatus();
//     });
//     if (!status.ok()) return status;
//   }
//   absl::StatusOr<corev1::PodList> list = reader.Finish();   // metadata; no items
//
// Thread-compatible.
template <ApiStruct ListT, ApiStruct T>
class ListReader {
 public:
  // `decoder` must outlive the reader, and decodes nothing else meanwhile.
  ListReader(ContentType content_type, SharedDecoder& decoder,
             const ListReaderOptions& options = {})
      : core_(content_type, decoder, ListT::kMessage, reinterpret_cast<char*>(&header_),
              options.max_item_bytes) {}
  ListReader(const ListReader&) = delete;
  ListReader& operator=(const ListReader&) = delete;

  // The next bytes of the body, of any number. Calls `on_item` for each item that is complete now,
  // in their order. INVALID_ARGUMENT where the body is not such a list; or what `on_item` returned.
  // After an error every call returns the same.
  absl::Status Append(absl::string_view bytes,
                      absl::FunctionRef<absl::Status(std::shared_ptr<const T>)> on_item) {
    return core_.Append(bytes, [&](std::shared_ptr<const void> item) {
      return on_item(std::static_pointer_cast<const T>(std::move(item)));
    });
  }

  // The list without its items, when the body has ended. INVALID_ARGUMENT where it ended too early:
  // then the items handed out are not all.
  absl::StatusOr<ListT> Finish() {
    absl::Status status = core_.Finish();
    if (!status.ok()) return status;
    return std::move(header_);
  }

 private:
  ListT header_;
  internal::ListReaderCore core_;
};

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_LIST_READER_H_
