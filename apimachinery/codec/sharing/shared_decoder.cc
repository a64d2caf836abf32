#include "apimachinery/codec/sharing/shared_decoder.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/internal/builder.h"
#include "apimachinery/codec/internal/decode_context.h"
#include "apimachinery/codec/internal/decode_error.h"
#include "apimachinery/codec/internal/heap_growth.h"
#include "apimachinery/codec/internal/object_block.h"
#include "apimachinery/codec/json/json_decoder.h"
#include "apimachinery/codec/projection.h"
#include "apimachinery/codec/protobuf/wire_decoder.h"
#include "apimachinery/codec/sharing/sharing_builder.h"
#include "apimachinery/codec/sharing/sharing_node.h"
#include "apimachinery/codec/sharing/sharing_store.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"

namespace kube::codec {

struct SharedDecoder::State {
  State(const DecodeOptions& decode_options, SharingStore* sharing_store)
      : options(decode_options),
        context(internal::MakeContext(decode_options)),
        store(sharing_store) {
    if (options.field_validation == FieldValidation::kStrict) {
      context.strict_errors = &strict_errors;
    }
  }

  // Decodes with a builder with or without a store, and copies the object into a block. `fill` gets
  // the builder and the memory of the object. It returns false and sets `status` after an error.
  template <typename Fill>
  absl::StatusOr<std::shared_ptr<const void>> Make(const kube::table::Message& message, Fill fill);
  absl::StatusOr<std::shared_ptr<const void>> MakeBlock(const char* object,
                                                        const kube::table::Message& message);

  // Decodes the object at the start of `text` and returns its end. If `whole`, only white space may
  // follow. Returns null and sets `status` after an error.
  template <typename BuilderT>
  const char* DecodeJson(BuilderT& builder, char* object, const kube::table::Message& message,
                         absl::string_view text, bool valid_utf8, bool whole);
  template <typename BuilderT>
  bool DecodeWire(BuilderT& builder, char* object, const kube::table::Message& message,
                  absl::string_view bytes);

  const DecodeOptions options;
  internal::DecodeContext context;
  SharingStore* const store;
  internal::ScratchMemory scratch;
  internal::ScratchMemory nested;
  std::vector<internal::SharingNode*> nodes;
  std::vector<std::string> strict_errors;
  absl::Status status;
  // Whether the previous call may have decoded a part of the same object.
  bool is_second_attempt = false;
  internal::HeapGrowth heap_growth;
};

template <typename Fill>
absl::StatusOr<std::shared_ptr<const void>> SharedDecoder::State::Make(
    const kube::table::Message& message, Fill fill) {
  scratch.Reset();
  strict_errors.clear();
  const bool is_projected = options.projection != nullptr && options.projection->Fits(message);
  context.projection = is_projected ? options.projection->root() : nullptr;
  char* object = scratch.Get(message.size);
  if (store == nullptr) {
    internal::ScratchBuilder builder(scratch);
    if (!fill(builder, object)) return status;
    return MakeBlock(object, message);
  }
  internal::SharingBuilder builder(scratch, nested, nodes, *store);
  if (is_second_attempt) builder.DoNotAdd();
  if (!fill(builder, object)) return status;
  return MakeBlock(object, message);
}

absl::StatusOr<std::shared_ptr<const void>> SharedDecoder::State::MakeBlock(
    const char* object, const kube::table::Message& message) {
  heap_growth.OnBlock(message.size + scratch.block_bytes());
  return internal::MakeObjectBlock(object, message, scratch.block_bytes(), nodes);
}

template <typename BuilderT>
const char* SharedDecoder::State::DecodeJson(BuilderT& builder, char* object,
                                             const kube::table::Message& message,
                                             absl::string_view text, bool valid_utf8, bool whole) {
  internal::JsonDecoder<BuilderT> decoder(builder, text, valid_utf8, context);
  const char* after = whole ? decoder.DecodeDocument(object, text.data(), message)
                            : decoder.Struct(object, text.data(), message, context.projection);
  if (after == nullptr) {
    const internal::DecodeError& error = decoder.error();
    status = internal::JsonErrorStatus(
        message, error, internal::PositionOf(text, static_cast<size_t>(error.at - text.data())));
    return nullptr;
  }
  status = internal::StrictStatus(message, strict_errors);
  return status.ok() ? after : nullptr;
}

template <typename BuilderT>
bool SharedDecoder::State::DecodeWire(BuilderT& builder, char* object,
                                      const kube::table::Message& message,
                                      absl::string_view bytes) {
  internal::WireDecoder<BuilderT> decoder(builder, context);
  if (decoder.DecodeMessage(object, bytes.data(), bytes.data() + bytes.size(), message)) {
    return true;
  }
  status = internal::WireErrorStatus(message, bytes, decoder.error());
  return false;
}

SharedDecoder::SharedDecoder(const DecodeOptions& options, SharingStore* store)
    : state_(std::make_unique<State>(options, store)) {}

SharedDecoder::~SharedDecoder() = default;

absl::StatusOr<std::shared_ptr<const void>> SharedDecoder::DecodeAny(
    const kube::table::Message& message, codec::Encoding encoding, absl::string_view bytes) {
  KUBE_RETURN_IF_ERROR(internal::CheckSize(message, bytes));
  State& state = *state_;
  absl::StatusOr<std::shared_ptr<const void>> object;
  if (encoding == codec::Encoding::kProtobuf) {
    object = state.Make(message, [&](auto& builder, char* to) {
      return state.DecodeWire(builder, to, message, bytes);
    });
  } else {
    const bool valid_utf8 = kube::text::IsValidUtf8(bytes);
    object = state.Make(message, [&](auto& builder, char* to) {
      return state.DecodeJson(builder, to, message, bytes, valid_utf8, true) != nullptr;
    });
  }
  state.is_second_attempt = false;
  return object;
}

absl::StatusOr<SharedDecoder::Prefix> SharedDecoder::DecodeJsonPrefix(
    const kube::table::Message& message, absl::string_view text) {
  KUBE_RETURN_IF_ERROR(internal::CheckSize(message, text));
  Prefix prefix;
  absl::StatusOr<std::shared_ptr<const void>> object =
      state_->Make(message, [&](auto& builder, char* to) {
        const char* after = state_->DecodeJson(builder, to, message, text, true, false);
        if (after == nullptr) return false;
        prefix.size = static_cast<size_t>(after - text.data());
        return true;
      });
  // The end was possibly found only in the padding.
  state_->is_second_attempt = !object.ok() || prefix.size > text.size();
  if (!object.ok()) return std::move(object).status();
  if (prefix.size > text.size()) return absl::InvalidArgumentError("unexpected end of input");
  prefix.object = *std::move(object);
  return prefix;
}

}  // namespace kube::codec
