#ifndef APIMACHINERY_CODEC_INTERNAL_DECODE_CONTEXT_H_
#define APIMACHINERY_CODEC_INTERNAL_DECODE_CONTEXT_H_

// What the decoders of all formats share: what a call asks for, and what went wrong.

#include <string>
#include <vector>

#include "apimachinery/codec/internal/projection_node.h"

namespace kube::codec::internal {

struct DecodeContext {
  // What to leave out of the object; null: nothing.
  const ProjectionNode* projection = nullptr;
  // Unknown and duplicate fields are collected here, as Go words them; null: they do not matter.
  std::vector<std::string>* strict_errors = nullptr;
  // Of structs in structs, and of JSON values in JSON values.
  int max_depth = 1000;
};

// Why decoding stopped.
struct DecodeError {
  const char* at = nullptr;  // in the input; null: nothing went wrong
  std::string path;
  std::string cause;
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_DECODE_CONTEXT_H_
