#ifndef APIMACHINERY_CODEC_TESTING_DECODE_EVERY_WAY_H_
#define APIMACHINERY_CODEC_TESTING_DECODE_EVERY_WAY_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {

// Decodes a protobuf message into owned memory, into a block, and into a block with sharing: once
// with an empty store, and once with a store that contains everything. Returns the protobuf message
// of the result, or the error. All results must be equal, also if the padding contains other bytes;
// otherwise the program ends. The padding has exactly the size of PaddedBuffer's, so that ASan
// finds reads beyond it.
absl::StatusOr<std::string> DecodeEveryWay(const kube::table::Message& message,
                                           absl::string_view wire,
                                           const DecodeOptions& options = {});

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_TESTING_DECODE_EVERY_WAY_H_
