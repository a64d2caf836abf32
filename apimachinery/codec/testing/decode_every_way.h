#ifndef APIMACHINERY_CODEC_TESTING_DECODE_EVERY_WAY_H_
#define APIMACHINERY_CODEC_TESTING_DECODE_EVERY_WAY_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {

// Decodes a protobuf message into owned memory, into a block, and into a block that shares: once
// into an empty store, once where all of it is shared already. Returns the protobuf of what they
// made, or their error: they must agree, or the program ends. So they must with other bytes in the
// padding, of which there are no more than PaddedBuffer's: ASan sees who reads further.
absl::StatusOr<std::string> DecodeEveryWay(const kube::table::Message& message,
                                           absl::string_view wire,
                                           const DecodeOptions& options = {});

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_TESTING_DECODE_EVERY_WAY_H_
