#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/codec/internal/builder.h"
#include "apimachinery/codec/internal/decode_context.h"
#include "apimachinery/codec/internal/decode_error.h"
#include "apimachinery/codec/json/json_decoder.h"
#include "apimachinery/codec/json/json_leaf.h"
#include "apimachinery/codec/json/json_scan.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/stream/json_item_reader.h"
#include "apimachinery/codec/stream/list_format.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {
namespace {

// A state machine over the tokens of the outermost object and of its items. Step takes one token,
// member or item from the start of the text that has arrived, and returns false if it is not
// complete yet; Append calls it until then. Fields other than "items" are decoded as a whole into
// the header; of "items" only the opening bracket is taken, and each element is then decoded as an
// object of its own.
//
// An item is first decoded at once (see JsonItemReader::DecodeAtOnce). If that fails, because the
// item is not complete or is malformed, its end is looked for and it is decoded when the end has
// arrived, which also gives the exact error.
class JsonListFormat final : public ListFormat {
 public:
  explicit JsonListFormat(const ListTarget& target) : target_(target), reader_(target.decoder) {}

  absl::Status Append(absl::string_view bytes, OnListItem on_item) override {
    reader_.Append(bytes);
    for (bool more = true; more;) {
      reader_.ConsumeSpace();
      if (reader_.rest().empty()) return absl::OkStatus();
      KUBE_ASSIGN_OR_RETURN(more, Step(on_item));
    }
    return CheckSize(reader_.rest().size());
  }

  absl::Status Finish() override {
    return state_ == State::kEnd ? absl::OkStatus() : Error("unexpected end of input");
  }

 private:
  enum class State {
    kStart,
    kFirstName,    // a name, or the end of the list
    kName,         // a name
    kAfterMember,  // a comma, or the end of the list
    kFirstItem,    // an item, or the end of the items
    kItem,         // an item
    kAfterItem,    // a comma, or the end of the items
    kEnd,
  };

  // Takes what rest(), which is not empty, begins with. Returns false if that is not complete yet.
  absl::StatusOr<bool> Step(OnListItem on_item) {
    const char next = reader_.rest()[0];
    switch (state_) {
      case State::kStart:
        return Take('{', State::kFirstName, "expected an object");
      case State::kFirstName:
        if (next == '}') return Take('}', State::kEnd, "");
        return Member();
      case State::kName:
        return Member();
      case State::kAfterMember:
        if (next == '}') return Take('}', State::kEnd, "");
        return Take(',', State::kName, "expected ',' or '}' after a field");
      case State::kFirstItem:
        if (next == ']') return Take(']', State::kAfterMember, "");
        return Item(on_item);
      case State::kItem:
        return Item(on_item);
      case State::kAfterItem:
        if (next == ']') return Take(']', State::kAfterMember, "");
        return Take(',', State::kItem, "expected ',' or ']' after an item");
      case State::kEnd:
        return Error("unexpected data after the list");
    }
    return false;
  }

  absl::StatusOr<bool> Take(char c, State then, absl::string_view otherwise) {
    if (reader_.rest()[0] != c) return Error(otherwise);
    reader_.Consume(1);
    state_ = then;
    return true;
  }

  absl::StatusOr<bool> Item(OnListItem on_item) {
    const kube::table::Message& message = *target_.list.sub(target_.items);
    SharedDecoder::Prefix item = reader_.DecodeAtOnce(message, 0);
    if (item.object == nullptr) {
      item.size = reader_.FindValueEnd(0);
      if (item.size == 0) return false;
      KUBE_RETURN_IF_ERROR(CheckSize(item.size));
      absl::StatusOr<std::shared_ptr<const void>> object = reader_.Decode(message, 0, item.size);
      if (!object.ok()) return target_.ItemError(count_, reader_.offset(), object.status());
      item.object = *std::move(object);
    }
    KUBE_RETURN_IF_ERROR(CheckSize(item.size));
    reader_.Consume(item.size);
    ++count_;
    state_ = State::kAfterItem;
    KUBE_RETURN_IF_ERROR(on_item(std::move(item.object)));
    return true;
  }

  // Takes a complete name and value, or the name "items" and the opening bracket of its value.
  absl::StatusOr<bool> Member() {
    const absl::string_view text = reader_.rest();
    if (text[0] != '"') return Error("expected a field name in quotes");
    const StringEnd name_end = JsonScan::FindStringEnd(text.data() + 1);
    const auto name_size = static_cast<size_t>(name_end.quote + 1 - text.data());
    if (name_size > text.size()) return false;
    if (*name_end.quote != '"') return Error("control character in a string");
    std::string name;
    if (const char* error = AppendUnescaped(text.substr(1, name_size - 2), name)) {
      return Error(error);
    }
    size_t at = SkipSpaces(text, name_size);
    if (at == text.size()) return false;
    if (text[at] != ':') return Error("expected ':' after a name");
    at = SkipSpaces(text, at + 1);
    if (at == text.size()) return false;
    const kube::table::Field* field = FindField(name);
    if (field == &target_.items && had_items_) return Error("duplicate field \"items\"");
    if (field == &target_.items && text[at] == '[') {
      had_items_ = true;
      reader_.Consume(at + 1);
      state_ = State::kFirstItem;
      return true;
    }
    const size_t size = reader_.FindValueEnd(at);
    if (size == 0) return false;
    KUBE_RETURN_IF_ERROR(CheckSize(at + size));
    KUBE_RETURN_IF_ERROR(Value(text.substr(at, size), field));
    reader_.Consume(at + size);
    state_ = State::kAfterMember;
    return true;
  }

  static size_t SkipSpaces(absl::string_view text, size_t at) {
    while (at < text.size() && IsJsonSpace(text[at])) ++at;
    return at;
  }

  const kube::table::Field* FindField(absl::string_view name) const {
    for (size_t i = 0; i < target_.list.field_count; ++i) {
      const kube::table::Field& field = target_.list.fields[i];
      if (field.name_size > 0 && target_.list.field_name(field) == name) return &field;
    }
    return nullptr;
  }

  // Decodes the value into the header. The value of an unknown field is only checked.
  absl::Status Value(absl::string_view text, const kube::table::Field* field) {
    const char* const end = text.data() + text.size();
    if (field == nullptr) {
      const char* error = nullptr;
      if (SkipValue(text.data(), end, kMaxJsonDepth, &error) == end) return absl::OkStatus();
      return Error("expected a value");
    }
    HeapMemory memory;
    HeapBuilder builder(memory);
    const DecodeContext context;
    JsonDecoder<HeapBuilder> decoder(builder, text, kube::text::IsValidUtf8(text), context);
    const char* after = decoder.MemberAlone(target_.header + field->offset, text.data(),
                                            target_.list, *field, nullptr);
    if (after == end) return absl::OkStatus();
    return Error(after == nullptr ? absl::StrCat(decoder.error().path, ": ", decoder.error().cause)
                                  : "expected ',' or '}' after a field");
  }

  absl::Status CheckSize(size_t size) const {
    if (size <= target_.max_item_bytes) return absl::OkStatus();
    return Error(absl::StrCat("value exceeds the limit of ", target_.max_item_bytes, " bytes"));
  }

  absl::Status Error(absl::string_view cause) const {
    return target_.Error(cause, reader_.offset());
  }

  const ListTarget target_;
  JsonItemReader reader_;
  State state_ = State::kStart;
  bool had_items_ = false;
  size_t count_ = 0;
};

}  // namespace

std::unique_ptr<ListFormat> MakeJsonListFormat(const ListTarget& target) {
  return std::make_unique<JsonListFormat>(target);
}

}  // namespace kube::codec::internal
