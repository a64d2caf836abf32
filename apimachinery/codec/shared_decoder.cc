#include "apimachinery/codec/shared_decoder.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/internal/block_writer.h"
#include "apimachinery/codec/internal/builder.h"
#include "apimachinery/codec/internal/decode.h"
#include "apimachinery/codec/internal/decode_context.h"
#include "apimachinery/codec/internal/decode_error.h"
#include "apimachinery/codec/internal/json_decoder.h"
#include "apimachinery/codec/internal/object_block.h"
#include "apimachinery/codec/internal/sharing_builder.h"
#include "apimachinery/codec/internal/wire_decoder.h"
#include "apimachinery/codec/sharing_store.h"
#include "apimachinery/types/internal/layout.h"
#include "apimachinery/types/internal/message.h"
#include "apimachinery/types/internal/utf8.h"

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

  // Builds the object in scratch memory; null, and a status, where the bytes are not one.
  template <typename BuilderT>
  char* Build(BuilderT& builder, const kube::internal::Message& message,
              internal::Encoding encoding, absl::string_view bytes);

  const DecodeOptions options;
  internal::DecodeContext context;
  SharingStore* const store;
  internal::ScratchMemory scratch;
  internal::ScratchMemory nested;
  std::vector<std::string> strict_errors;
  absl::Status status;
};

template <typename BuilderT>
char* SharedDecoder::State::Build(BuilderT& builder, const kube::internal::Message& message,
                                  internal::Encoding encoding, absl::string_view bytes) {
  char* object = scratch.Get(message.size);
  strict_errors.clear();
  if (encoding == internal::Encoding::kJson) {
    internal::JsonDecoder<BuilderT> decoder(builder, bytes, kube::internal::IsValidUtf8(bytes),
                                            context);
    if (!decoder.DecodeDocument(object, bytes.data(), message)) {
      const internal::DecodeError& error = decoder.error();
      status = internal::JsonErrorStatus(
          message, error,
          internal::PositionOf(bytes, static_cast<size_t>(error.at - bytes.data())));
      return nullptr;
    }
  } else {
    internal::WireDecoder<BuilderT> decoder(builder, context);
    if (!decoder.DecodeMessage(object, bytes.data(), bytes.data() + bytes.size(), message)) {
      status = internal::WireErrorStatus(message, bytes, decoder.error());
      return nullptr;
    }
  }
  status = internal::StrictStatus(message, strict_errors);
  return status.ok() ? object : nullptr;
}

SharedDecoder::SharedDecoder(const DecodeOptions& options, SharingStore* store)
    : state_(std::make_unique<State>(options, store)) {}

SharedDecoder::~SharedDecoder() = default;

absl::StatusOr<std::shared_ptr<const void>> SharedDecoder::DecodeAny(
    const kube::internal::Message& message, internal::Encoding encoding, absl::string_view bytes) {
  State& state = *state_;
  state.scratch.Reset();
  if (state.store == nullptr) {
    internal::ScratchBuilder builder(state.scratch);
    char* object = state.Build(builder, message, encoding, bytes);
    if (object == nullptr) return state.status;
    return internal::MakeObjectBlock(object, message, state.scratch.block_bytes(), {});
  }
  internal::SharingBuilder builder(state.scratch, state.nested, *state.store);
  char* object = state.Build(builder, message, encoding, bytes);
  if (object == nullptr) return state.status;
  std::shared_ptr<const void> shared =
      internal::MakeObjectBlock(object, message, state.scratch.block_bytes(), builder.nodes());
  builder.ReleaseNodes();
  return shared;
}

}  // namespace kube::codec
