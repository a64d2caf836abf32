#include "apimachinery/codec/stream/any_watch_reader.h"

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/stream/watch_format.h"
#include "apimachinery/codec/stream/watch_frame.h"
#include "apimachinery/table/message.h"

namespace kube::codec {

AnyWatchReader::AnyWatchReader(ContentType content_type, SharedDecoder& decoder,
                               const kube::table::Message& object,
                               const kube::table::Message& status,
                               const WatchReaderOptions& options) {
  const internal::WatchTarget target = {decoder, object, status, options.max_event_bytes};
  format_ = content_type == ContentType::kJson ? internal::MakeJsonWatchFormat(target)
                                               : internal::MakeProtobufWatchFormat(target);
}

AnyWatchReader::~AnyWatchReader() = default;

absl::Status AnyWatchReader::Append(absl::string_view bytes,
                                    absl::FunctionRef<absl::Status(AnyWatchFrame)> on_event) {
  if (status_.ok()) status_ = format_->Append(bytes, on_event);
  return status_;
}

bool AnyWatchReader::IsBetweenEvents() const { return format_->IsBetweenEvents(); }

}  // namespace kube::codec
