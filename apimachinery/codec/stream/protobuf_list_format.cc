#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/envelope.h"
#include "apimachinery/codec/internal/builder.h"
#include "apimachinery/codec/internal/decode_context.h"
#include "apimachinery/codec/protobuf/wire.h"
#include "apimachinery/codec/protobuf/wire_decoder.h"
#include "apimachinery/codec/stream/list_format.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/envelope_prefix.h"

namespace kube::codec::internal {
namespace {

// Maximum size of a tag or a length.
constexpr size_t kMaxVarint = 10;

// The fields of runtime.Unknown.
constexpr uint64_t kTypeMeta = 1 << 3 | WireType::kBytes;
constexpr uint64_t kRaw = 2 << 3 | WireType::kBytes;
constexpr uint64_t kContentEncoding = 3 << 3 | WireType::kBytes;
constexpr uint64_t kContentType = 4 << 3 | WireType::kBytes;

// Reads a body as a sequence of fields at two levels: those of the envelope, a runtime.Unknown,
// and, within its field `raw`, those of the list. `raw` itself is never buffered: its header is
// taken, and `raw_left_` counts the bytes of it that are left. Step takes one field when all of it
// has arrived. An item goes to the SharedDecoder. Any other field of the list is decoded into the
// header as a message with this field alone, which merges like the fields of one message.
class ProtobufListFormat final : public ListFormat {
 public:
  explicit ProtobufListFormat(const ListTarget& target) : target_(target) {}

  absl::Status Append(absl::string_view bytes, OnListItem on_item) override {
    buffer_.RemovePrefix(consumed_);
    offset_ += consumed_;
    consumed_ = 0;
    buffer_.Append(bytes);
    for (bool more = true; more;) {
      KUBE_ASSIGN_OR_RETURN(more, Step(on_item));
    }
    return absl::OkStatus();
  }

  absl::Status Finish() override {
    if (!has_prefix_ || in_raw_ || !had_raw_ || !rest().empty()) {
      return Error("unexpected end of the body");
    }
    codec::SetTypeMeta(target_.header, target_.list, kind_, api_version_);
    return absl::OkStatus();
  }

 private:
  // The header of the field at the start of rest(): its tag, and where its value is. The value of a
  // length-delimited field is what follows the length.
  struct Header {
    uint64_t tag = 0;
    size_t at = 0;      // position of the value
    uint64_t size = 0;  // of the value
  };

  absl::string_view rest() const { return buffer_.view().substr(consumed_); }

  absl::StatusOr<bool> Step(OnListItem on_item) {
    if (!has_prefix_) return Prefix();
    if (in_raw_ && raw_left_ == 0) in_raw_ = false;
    if (rest().empty()) return false;
    Header header;
    KUBE_ASSIGN_OR_RETURN(const bool is_there, ReadHeader(header));
    if (!is_there) return false;
    if (!in_raw_ && header.tag == kRaw) return EnterRaw(header);
    if (in_raw_ && header.at + header.size > raw_left_) return Error("truncated value");
    if (header.size > target_.max_item_bytes) {
      return Error(absl::StrCat("value of ", header.size, " bytes exceeds the limit of ",
                                target_.max_item_bytes, " bytes"));
    }
    const size_t size = header.at + static_cast<size_t>(header.size);
    if (rest().size() < size) return false;
    const absl::string_view field = rest().substr(0, size);
    KUBE_RETURN_IF_ERROR(in_raw_ ? ListField(field, header, on_item)
                                 : EnvelopeField(field, header));
    consumed_ += size;
    if (in_raw_) raw_left_ -= size;
    return true;
  }

  absl::StatusOr<bool> Prefix() {
    if (!absl::StartsWith(rest(), kEnvelopePrefix.substr(0, rest().size()))) {
      return Error(
          "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
    }
    if (rest().size() < kEnvelopePrefix.size()) return false;
    consumed_ += kEnvelopePrefix.size();
    has_prefix_ = true;
    return true;
  }

  // Returns false if the header is not complete yet.
  absl::StatusOr<bool> ReadHeader(Header& header) {
    const absl::string_view text = rest();
    const char* const end = text.data() + text.size();
    const char* p = ReadTag(text.data(), end, header.tag);
    if (p != nullptr && header.tag >> 3 == 0) {
      return Error("expected a field number greater than zero");
    }
    if (p != nullptr && (header.tag & 7) == WireType::kBytes) {
      const char* after = ReadVarint(p, end, header.size);
      header.at = static_cast<size_t>(after - text.data());
      p = after;
    } else if (p != nullptr && (header.tag & 7) == WireType::kStartGroup) {
      return Error("groups are not supported");
    } else if (p != nullptr) {
      const char* after = SkipWireValue(p, end, header.tag);
      header.at = static_cast<size_t>(p - text.data());
      header.size = static_cast<uint64_t>(after - p);
      p = after;
    }
    if (p != nullptr) return true;
    // A tag and a number, or a tag and a length, are at most this long: if they are not complete
    // now, they are malformed.
    if (text.size() >= 2 * kMaxVarint) return Error("truncated value");
    return false;
  }

  absl::StatusOr<bool> EnterRaw(const Header& header) {
    if (had_raw_) return Error("more than one list in the envelope");
    had_raw_ = in_raw_ = true;
    raw_left_ = header.size;
    consumed_ += header.at;
    return true;
  }

  absl::Status EnvelopeField(absl::string_view field, const Header& header) {
    const absl::string_view value = field.substr(header.at);
    if (header.tag == kTypeMeta) {
      codec::Envelope envelope;
      if (!codec::ParseTypeMeta(value, envelope)) return Error("invalid envelope");
      kind_ = std::string(envelope.kind);
      api_version_ = std::string(envelope.api_version);
    } else if (header.tag == kContentEncoding) {
      if (!value.empty()) return Error("unknown content encoding");
    } else if (header.tag >> 3 <= kContentType >> 3 && header.tag != kContentType) {
      return Error("invalid envelope");
    }
    return absl::OkStatus();
  }

  absl::Status ListField(absl::string_view field, const Header& header, OnListItem on_item) {
    const uint64_t items_tag = uint64_t{target_.items.number} << 3 | WireType::kBytes;
    if (header.tag == items_tag) {
      absl::StatusOr<std::shared_ptr<const void>> item = target_.decoder.DecodeAny(
          *target_.list.sub(target_.items), codec::Encoding::kProtobuf, field.substr(header.at));
      if (!item.ok()) {
        return target_.ItemError(count_, offset_ + consumed_ + header.at, item.status());
      }
      ++count_;
      return on_item(*std::move(item));
    }
    HeapMemory memory;
    HeapBuilder builder(memory);
    const DecodeContext context;
    WireDecoder<HeapBuilder> decoder(builder, context);
    if (decoder.DecodeMessage(target_.header, field.data(), field.data() + field.size(),
                              target_.list)) {
      return absl::OkStatus();
    }
    const DecodeError& error = decoder.error();
    return Error(absl::StrCat(error.path, error.path.empty() ? "" : ": ", error.cause));
  }

  absl::Status Error(absl::string_view cause) const {
    return target_.Error(cause, offset_ + consumed_);
  }

  const ListTarget target_;
  PaddedBuffer buffer_;
  size_t consumed_ = 0;
  size_t offset_ = 0;
  bool has_prefix_ = false;
  bool in_raw_ = false;
  bool had_raw_ = false;
  uint64_t raw_left_ = 0;
  std::string kind_;
  std::string api_version_;
  size_t count_ = 0;
};

}  // namespace

std::unique_ptr<ListFormat> MakeProtobufListFormat(const ListTarget& target) {
  return std::make_unique<ProtobufListFormat>(target);
}

}  // namespace kube::codec::internal
