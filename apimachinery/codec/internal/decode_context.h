#ifndef APIMACHINERY_CODEC_INTERNAL_DECODE_CONTEXT_H_
#define APIMACHINERY_CODEC_INTERNAL_DECODE_CONTEXT_H_

// What the decoders of all formats share: the options of a call, and the error.

#include <string>
#include <vector>

#include "apimachinery/codec/internal/projection_node.h"

namespace kube::codec::internal {

struct DecodeContext {
  // Fields to skip; null means none.
  const ProjectionNode* projection = nullptr;
  // Receives unknown and duplicate fields in Go's words; null ignores them.
  std::vector<std::string>* strict_errors = nullptr;
  // Maximum nesting of structs. JSON values may be nested deeper: see JsonDecodeState.
  int max_depth = 1000;
};

// Where and why decoding stopped.
struct DecodeError {
  const char* at = nullptr;  // position in the input; null: no error
  std::string path;
  std::string cause;
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_DECODE_CONTEXT_H_
