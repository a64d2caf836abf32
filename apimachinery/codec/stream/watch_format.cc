#include "apimachinery/codec/stream/watch_format.h"

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
#include "apimachinery/codec/json/json_leaf.h"
#include "apimachinery/codec/json/json_scan.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/stream/json_item_reader.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/stream/watch_frame.h"
#include "apimachinery/codec/type_meta.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {
namespace {

constexpr absl::string_view kErrorType = "ERROR";

absl::Status TooLarge(const WatchTarget& target, size_t offset) {
  return target.Error(absl::StrCat("event exceeds the limit of ", target.max_event_bytes, " bytes"),
                      offset);
}

AnyWatchFrame MakeFrame(absl::string_view type, std::shared_ptr<const void> object) {
  AnyWatchFrame frame;
  frame.type = std::string(type);
  (type == kErrorType ? frame.status : frame.object) = std::move(object);
  return frame;
}

// Returns whether an ERROR carries an object of another kind than Status, whose fields have other
// meanings.
bool IsUnexpected(absl::string_view type, absl::string_view kind) {
  return type == kErrorType && !kind.empty() && kind != "Status";
}

AnyWatchFrame MakeUnexpectedFrame(absl::string_view kind) {
  AnyWatchFrame frame;
  frame.type = std::string(kErrorType);
  frame.unexpected_kind = std::string(kind);
  return frame;
}

const kube::table::Message& MessageOf(const WatchTarget& target, absl::string_view type) {
  return type == kErrorType ? target.status : target.object;
}

// Reads events as JSON objects. Servers write {"type":"...","object":{...}} with nothing in
// between, so AtOnce compares these bytes and decodes the object directly, without looking for its
// end first. Any other form, and an event that has not arrived completely, takes the second way:
// FindValueEnd looks for the end, and Framed takes the complete event apart. Framed also produces
// the exact error for malformed events, and handles ERROR events, whose kind has to be read first.
class JsonWatchFormat final : public WatchFormat {
 public:
  explicit JsonWatchFormat(const WatchTarget& target) : target_(target), reader_(target.decoder) {}

  absl::Status Append(absl::string_view bytes, OnWatchFrame on_frame) override {
    reader_.Append(bytes);
    if (const size_t newline = bytes.rfind('\n'); newline != absl::string_view::npos) {
      last_line_end_ = reader_.offset() + reader_.rest().size() - bytes.size() + newline;
    }
    for (;;) {
      reader_.ConsumeSpace();
      if (reader_.rest().empty()) return absl::OkStatus();
      if (reader_.rest()[0] != '{') return target_.Error("expected an object", reader_.offset());
      KUBE_ASSIGN_OR_RETURN(Event event, Next());
      if (event.size == 0) return CheckSize(reader_.rest().size());
      KUBE_RETURN_IF_ERROR(CheckSize(event.size));
      reader_.Consume(event.size);
      KUBE_RETURN_IF_ERROR(on_frame(std::move(event.frame)));
    }
  }

  bool IsBetweenEvents() const override { return reader_.rest().empty(); }

 private:
  struct Event {
    AnyWatchFrame frame;
    size_t size = 0;  // 0: it is not complete yet
  };

  // Returns the event that rest() begins with.
  absl::StatusOr<Event> Next() {
    if (!reader_.IsFramed(0)) {
      // Servers end each event with a line feed; if one has arrived after the event's start, the
      // event is probably complete.
      Event event = AtOnce(reader_.offset() < last_line_end_);
      if (event.size > 0) return event;
    }
    const size_t size = reader_.FindValueEnd(0);
    if (size == 0) return Event();
    Event event = AtOnce(true);
    if (event.size == size) return event;
    return Framed(size);
  }

  // Decodes an event in exactly the form that servers write: {"type":"...","object":{...}}. Returns
  // size 0 if the event has another form. `is_whole` means that it is probably complete.
  Event AtOnce(bool is_whole) {
    constexpr absl::string_view kStart = "{\"type\":\"";
    constexpr absl::string_view kMiddle = "\",\"object\":";
    const absl::string_view text = reader_.rest();
    if (!absl::StartsWith(text, kStart)) return {};
    const size_t quote = text.find('"', kStart.size());
    if (quote == absl::string_view::npos || !absl::StartsWith(text.substr(quote), kMiddle)) {
      return {};
    }
    const size_t at = quote + kMiddle.size();
    if (at >= text.size() || text[at] != '{') return {};
    const absl::string_view type = text.substr(kStart.size(), quote - kStart.size());
    constexpr absl::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (type.empty() || type.find_first_not_of(kLetters) != absl::string_view::npos) return {};
    if (type == kErrorType) return {};  // its kind must be read first
    SharedDecoder::Prefix object = reader_.DecodeAtOnce(MessageOf(target_, type), at, is_whole);
    const size_t end = at + object.size;
    if (object.object == nullptr || end >= text.size() || text[end] != '}') return {};
    return {MakeFrame(type, std::move(object.object)), end + 1};
  }

  // Decodes a complete event in any form: finds the values of "type" and "object" first.
  absl::StatusOr<Event> Framed(size_t size) {
    KUBE_RETURN_IF_ERROR(CheckSize(size));
    const absl::string_view event = reader_.rest().substr(0, size);
    std::string type;
    absl::string_view object;
    KUBE_RETURN_IF_ERROR(TakeApart(event, type, object));
    if (type.empty()) return target_.Error("event has no type", reader_.offset());
    if (object.empty()) return target_.Error("event has no object", reader_.offset());
    const auto at = static_cast<size_t>(object.data() - event.data());
    if (type == kErrorType) {
      const absl::StatusOr<TypeMeta> meta = TypeMetaOfJson(object);
      if (meta.ok() && IsUnexpected(type, meta->kind)) {
        return Event{MakeUnexpectedFrame(meta->kind), size};
      }
    }
    absl::StatusOr<std::shared_ptr<const void>> decoded =
        reader_.Decode(MessageOf(target_, type), at, object.size());
    if (!decoded.ok()) return target_.ObjectError(decoded.status(), reader_.offset() + at);
    return Event{MakeFrame(type, *std::move(decoded)), size};
  }

  absl::Status CheckSize(size_t size) const {
    return size <= target_.max_event_bytes ? absl::OkStatus() : TooLarge(target_, reader_.offset());
  }

  absl::Status TakeApart(absl::string_view event, std::string& type, absl::string_view& object) {
    const char* const end = event.data() + event.size();
    const char* p = SkipSpace(event.data() + 1);
    std::string name;
    while (*p != '}') {
      const char* error = p;
      if (*p != '"') return Broken(p);
      const char* name_end = SkipValue(p, end, kMaxJsonDepth, &error);
      if (name_end == nullptr) return Broken(error);
      name.clear();
      AppendUnescaped({p + 1, static_cast<size_t>(name_end - p) - 2}, name);
      p = SkipSpace(name_end);
      if (*p != ':') return Broken(p);
      const char* value = SkipSpace(p + 1);
      p = SkipValue(value, end, kMaxJsonDepth, &error);
      if (p == nullptr) return Broken(error);
      const absl::string_view text(value, static_cast<size_t>(p - value));
      if (name == "type" && text[0] == '"') {
        type.clear();
        AppendUnescaped(text.substr(1, text.size() - 2), type);
      } else if (name == "object" && text[0] == '{') {
        object = text;
      }
      p = SkipSpace(p);
      if (*p == ',') {
        p = SkipSpace(p + 1);
        if (*p != '"') return Broken(p);
      } else if (*p != '}') {
        return Broken(p);
      }
    }
    return p + 1 == end ? absl::OkStatus() : Broken(p);
  }

  absl::Status Broken(const char* p) const {
    return target_.Error("not a JSON object",
                         reader_.offset() + static_cast<size_t>(p - reader_.rest().data()));
  }

  const WatchTarget target_;
  JsonItemReader reader_;
  size_t last_line_end_ = 0;  // in the stream
};

// Reads frames: a length in four bytes, then a WatchEvent of that length, whose object is a body
// with an envelope.
class ProtobufWatchFormat final : public WatchFormat {
 public:
  explicit ProtobufWatchFormat(const WatchTarget& target) : target_(target) {}

  absl::Status Append(absl::string_view bytes, OnWatchFrame on_frame) override {
    buffer_.RemovePrefix(consumed_);
    offset_ += consumed_;
    consumed_ = 0;
    buffer_.Append(bytes);
    for (;;) {
      const absl::string_view text = buffer_.view().substr(consumed_);
      if (text.size() < kLengthBytes) return absl::OkStatus();
      const size_t size = ReadLength(text);
      if (size > target_.max_event_bytes) return TooLarge(target_, offset_ + consumed_);
      if (text.size() < kLengthBytes + size) return absl::OkStatus();
      KUBE_ASSIGN_OR_RETURN(AnyWatchFrame frame, Decode(text.substr(kLengthBytes, size)));
      consumed_ += kLengthBytes + size;
      KUBE_RETURN_IF_ERROR(on_frame(std::move(frame)));
    }
  }

  bool IsBetweenEvents() const override { return consumed_ == buffer_.size(); }

 private:
  static constexpr size_t kLengthBytes = 4;

  // Reads a length, most significant byte first.
  static size_t ReadLength(absl::string_view text) {
    size_t length = 0;
    for (size_t i = 0; i < kLengthBytes; ++i) length = length << 8 | static_cast<uint8_t>(text[i]);
    return length;
  }

  absl::StatusOr<AnyWatchFrame> Decode(absl::string_view event) {
    absl::string_view type;
    absl::string_view body;
    if (!codec::ParseWatchEvent(event, type, body)) {
      return target_.Error("not a WatchEvent", offset_ + consumed_);
    }
    if (type.empty()) return target_.Error("event has no type", offset_ + consumed_);
    if (body.empty()) return target_.Error("event has no object", offset_ + consumed_);
    absl::StatusOr<AnyWatchFrame> frame = DecodeBody(type, body);
    if (frame.ok()) return frame;
    const auto at = static_cast<size_t>(body.data() - event.data());
    return target_.ObjectError(frame.status(), offset_ + consumed_ + kLengthBytes + at);
  }

  absl::StatusOr<AnyWatchFrame> DecodeBody(absl::string_view type, absl::string_view body) {
    KUBE_ASSIGN_OR_RETURN(const codec::Envelope envelope, codec::ParseEnvelope(body));
    if (!envelope.content_encoding.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("unknown content encoding: ", envelope.content_encoding));
    }
    if (IsUnexpected(type, envelope.kind)) return MakeUnexpectedFrame(envelope.kind);
    KUBE_ASSIGN_OR_RETURN(std::shared_ptr<const void> object,
                          target_.decoder.DecodeAny(MessageOf(target_, type),
                                                    codec::Encoding::kProtobuf, envelope.raw));
    return MakeFrame(type, std::move(object));
  }

  const WatchTarget target_;
  PaddedBuffer buffer_;
  size_t consumed_ = 0;
  size_t offset_ = 0;
};

}  // namespace

absl::Status WatchTarget::Error(absl::string_view cause, size_t offset) const {
  return absl::InvalidArgumentError(
      absl::StrCat("decode watch of ", object.type_name(), ": ", cause, " (byte ", offset, ")"));
}

absl::Status WatchTarget::ObjectError(const absl::Status& cause, size_t offset) const {
  return base::Annotate(cause, absl::StrCat("decode watch of ", object.type_name(),
                                            ": object (from byte ", offset, ")"));
}

std::unique_ptr<WatchFormat> MakeJsonWatchFormat(const WatchTarget& target) {
  return std::make_unique<JsonWatchFormat>(target);
}

std::unique_ptr<WatchFormat> MakeProtobufWatchFormat(const WatchTarget& target) {
  return std::make_unique<ProtobufWatchFormat>(target);
}

}  // namespace kube::codec::internal
