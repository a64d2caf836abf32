#ifndef APIMACHINERY_CODEC_STREAM_LIST_FORMAT_H_
#define APIMACHINERY_CODEC_STREAM_LIST_FORMAT_H_

#include <cstddef>
#include <memory>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {

using OnListItem = absl::FunctionRef<absl::Status(std::shared_ptr<const void> item)>;

// What the decoder of a list works with. The referenced objects must outlive the ListFormat.
struct ListTarget {
  SharedDecoder& decoder;
  const kube::table::Message& list;
  const kube::table::Field& items;
  char* header;  // the list struct, owned memory
  size_t max_item_bytes;

  // Returns "decode PodList: items[7] (from byte 51200): ...", where positions in `status` count
  // from that byte.
  absl::Status ItemError(size_t index, size_t offset, const absl::Status& status) const;
  absl::Status Error(absl::string_view cause, size_t offset) const;
};

// Decodes a list in one encoding while it arrives. Thread-compatible.
class ListFormat {
 public:
  virtual ~ListFormat() = default;
  virtual absl::Status Append(absl::string_view bytes, OnListItem on_item) = 0;
  // Returns OK if the list is complete.
  virtual absl::Status Finish() = 0;
};

std::unique_ptr<ListFormat> MakeJsonListFormat(const ListTarget& target);
std::unique_ptr<ListFormat> MakeProtobufListFormat(const ListTarget& target);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_STREAM_LIST_FORMAT_H_
