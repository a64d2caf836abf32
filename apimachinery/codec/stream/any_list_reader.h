#ifndef APIMACHINERY_CODEC_STREAM_ANY_LIST_READER_H_
#define APIMACHINERY_CODEC_STREAM_ANY_LIST_READER_H_

#include <cstddef>
#include <memory>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/table/message.h"

namespace kube::codec {

namespace internal {
class ListFormat;
}  // namespace internal

// The limit of a ListReader or AnyListReader.
struct ListReaderOptions {
  // Maximum size of one item, and of any other field of the list. Default: 256 MiB, far more than a
  // server stores. A SharedDecoder accepts up to 512 MiB.
  size_t max_item_bytes = size_t{256} << 20;
};

// A ListReader for a list whose type is known only at run time, for code that is generic over
// types. Append and Finish are those of ListReader, except that the caller owns the list.
// Thread-compatible.
class AnyListReader {
 public:
  // `list` describes the type of the list, which must have a list of objects named "items".
  // `header` is a list of that type in its default state; the reader fills in everything but the
  // items, and it is complete once Finish has returned OK. `decoder` and `header` must outlive the
  // reader, and `decoder` must not be used for anything else meanwhile.
  AnyListReader(ContentType content_type, SharedDecoder& decoder, const kube::table::Message& list,
                void* header, const ListReaderOptions& options = {});
  ~AnyListReader();
  AnyListReader(const AnyListReader&) = delete;
  AnyListReader& operator=(const AnyListReader&) = delete;

  absl::Status Append(absl::string_view bytes,
                      absl::FunctionRef<absl::Status(std::shared_ptr<const void>)> on_item);
  absl::Status Finish();

 private:
  std::unique_ptr<internal::ListFormat> format_;
  absl::Status status_;
};

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_STREAM_ANY_LIST_READER_H_
