#ifndef APIMACHINERY_CODEC_STREAM_LIST_READER_H_
#define APIMACHINERY_CODEC_STREAM_LIST_READER_H_

#include <memory>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/stream/any_list_reader.h"
#include "apimachinery/types/message_type.h"

namespace kube::codec {

// Decodes the body of a list while it arrives. Each item is handed out as soon as its last byte has
// arrived, and its bytes are dropped: neither the whole body nor a list of all items is ever in
// memory. client-go reads the whole body first and then decodes it.
//
// Items get the kind and apiVersion that the body has for them, which for lists is usually none.
// Three things are errors here although a decoder of whole bodies accepts them, because no server
// sends them: "items" that occur twice, two lists in one protobuf envelope, and an envelope without
// a list.
//
//   codec::ListReader<corev1::PodList, corev1::Pod> reader(codec::ContentType::kJson, decoder);
//   for (const absl::string_view chunk : chunks) {  // as they come from the network
//     KUBE_RETURN_IF_ERROR(reader.Append(chunk, [&](std::shared_ptr<const corev1::Pod> pod) {
//       pods.push_back(std::move(pod));
//       return absl::OkStatus();
//     }));
//   }
//   KUBE_ASSIGN_OR_RETURN(const corev1::PodList list, reader.Finish());  // without its items
//
// Thread-compatible.
template <ApiStruct ListT, ApiStruct T>
class ListReader {
 public:
  // `decoder` must outlive the reader and must not be used for anything else meanwhile.
  ListReader(ContentType content_type, SharedDecoder& decoder,
             const ListReaderOptions& options = {})
      : core_(content_type, decoder, ListT::kMessage, &header_, options) {}
  ListReader(const ListReader&) = delete;
  ListReader& operator=(const ListReader&) = delete;

  // Takes the next bytes of the body, of any number, and calls `on_item` on this thread for each
  // item that is complete now, in order. Returns INVALID_ARGUMENT if the body is not such a list,
  // and otherwise what `on_item` returned. After an error every call returns the same error.
  absl::Status Append(absl::string_view bytes,
                      absl::FunctionRef<absl::Status(std::shared_ptr<const T>)> on_item) {
    return core_.Append(bytes, [&](std::shared_ptr<const void> item) {
      return on_item(std::static_pointer_cast<const T>(std::move(item)));
    });
  }

  // Returns the list without its items; call it when the body has ended. Returns INVALID_ARGUMENT
  // if the body ended too early: then items are missing.
  absl::StatusOr<ListT> Finish() {
    absl::Status status = core_.Finish();
    if (!status.ok()) return status;
    return std::move(header_);
  }

 private:
  ListT header_;
  AnyListReader core_;
};

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_STREAM_LIST_READER_H_
