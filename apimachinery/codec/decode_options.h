#ifndef APIMACHINERY_CODEC_DECODE_OPTIONS_H_
#define APIMACHINERY_CODEC_DECODE_OPTIONS_H_

namespace kube::codec {

class Projection;

// What decoding does about fields that the type does not have, and fields that come twice: what the
// API server's fieldValidation does. (metav1.FieldValidation…)
enum class FieldValidation {
  kIgnore,  // Nothing: unknown fields are dropped, of two the later counts.
  kStrict,  // An error that names every one, up to a hundred. JSON and YAML only.
};

// How to decode one object.
struct DecodeOptions {
  // Default: ignore, as client-go's typed clients do.
  FieldValidation field_validation = FieldValidation::kIgnore;
  // Fields to leave out of the object, or the only ones to keep: see Projection. Null, the default:
  // all are kept. Must outlive the call; with a SharingStore, the store.
  const Projection* projection = nullptr;
  // How deeply structs may be nested. Default 1000; Go's limit for JSON is 10,000, protobuf's for
  // C++ is 100. Values of any type (unstructured objects) may have ten times as many lists and
  // objects in one another, but never more than 10,000. Deeper input is an error. Set it lower on
  // threads with small stacks: what walks over a value, as encoding does, may recurse.
  int max_depth = 1000;
};

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_DECODE_OPTIONS_H_
