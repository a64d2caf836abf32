#ifndef APIMACHINERY_CODEC_STREAM_WATCH_READER_H_
#define APIMACHINERY_CODEC_STREAM_WATCH_READER_H_

#include <memory>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/stream/any_watch_reader.h"
#include "apimachinery/codec/stream/watch_frame.h"
#include "apimachinery/types/message_type.h"

namespace kube::codec {

// Decodes the body of a watch while it arrives: JSON objects one after another, with any white
// space between them, or protobuf frames that consist of a length in four bytes and a WatchEvent.
// Each event is handed out as soon as its last byte has arrived. Events of types that this library
// does not know are handed out too; client-go makes them an error.
//
// Objects have the kind and apiVersion that the body has for them: JSON has them, protobuf does
// not. client-go clears them; to get the same, give the decoder Projection::Make<T>({.drop =
// {"kind", "apiVersion"}}).
//
//   using Frame = codec::WatchFrame<corev1::Pod, metav1::Status>;
//   codec::WatchReader<corev1::Pod, metav1::Status> reader(codec::ContentType::kJson, decoder);
//   const absl::Status status = reader.Append(body, [&](Frame frame) {
//     if (frame.status != nullptr) return absl::AbortedError(frame.status->message.view());
//     if (frame.object != nullptr) seen.push_back(frame.type + " " + frame.object->metadata.name);
//     return absl::OkStatus();
//   });
//
// `StatusT` is metav1::Status. Thread-compatible.
template <ApiStruct T, ApiStruct StatusT>
class WatchReader {
 public:
  // `decoder` must outlive the reader and must not be used for anything else meanwhile.
  WatchReader(ContentType content_type, SharedDecoder& decoder,
              const WatchReaderOptions& options = {})
      : core_(content_type, decoder, T::kMessage, StatusT::kMessage, options) {}
  WatchReader(const WatchReader&) = delete;
  WatchReader& operator=(const WatchReader&) = delete;

  // Takes the next bytes of the body, of any number, and calls `on_event` on this thread for each
  // event that is complete now. Returns INVALID_ARGUMENT if the body is not such a stream or an
  // object in it is malformed, and otherwise what `on_event` returned. After an error every call
  // returns the same error; end the watch (client-go makes it an Error event).
  absl::Status Append(absl::string_view bytes,
                      absl::FunctionRef<absl::Status(WatchFrame<T, StatusT>)> on_event) {
    return core_.Append(bytes, [&](AnyWatchFrame frame) {
      WatchFrame<T, StatusT> event;
      event.type = std::move(frame.type);
      event.object = std::static_pointer_cast<const T>(std::move(frame.object));
      event.status = std::static_pointer_cast<const StatusT>(std::move(frame.status));
      event.unexpected_kind = std::move(frame.unexpected_kind);
      return on_event(std::move(event));
    });
  }

  // Returns whether the body may end here. If it ends in the middle of an event, this is false and
  // the event is lost. (client-go accepts a protobuf body that ends between the length of an event
  // and the event.)
  bool IsBetweenEvents() const { return core_.IsBetweenEvents(); }

 private:
  AnyWatchReader core_;
};

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_STREAM_WATCH_READER_H_
