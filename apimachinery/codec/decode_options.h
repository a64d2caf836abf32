#ifndef APIMACHINERY_CODEC_DECODE_OPTIONS_H_
#define APIMACHINERY_CODEC_DECODE_OPTIONS_H_

namespace kube::codec {

class Projection;

// Says what a decoder does about fields that the type does not have, and about fields that occur
// twice, as the API server's fieldValidation parameter does (apimachinery:
// `metav1.FieldValidationIgnore`, `metav1.FieldValidationStrict`).
enum class FieldValidation {
  kIgnore,  // Drops unknown fields; the last duplicate counts.
  kStrict,  // Fails and names up to 100 of them. JSON and YAML only.
};

// Options for decoding one object.
struct DecodeOptions {
  // Default: kIgnore, as in client-go's typed clients.
  FieldValidation field_validation = FieldValidation::kIgnore;
  // Fields to leave out, or the only fields to keep (see Projection). Null, the default, keeps all.
  // A projection that was made for another type is ignored. It must outlive the call; with a
  // SharingStore, it must outlive the store.
  const Projection* projection = nullptr;
  // Maximum nesting of structs, 1000 by default; deeper input is an error. For comparison, Go's
  // limit for JSON is 10,000 and the limit of protobuf for C++ is 100. Within values of any type
  // (unstructured objects), objects and arrays may be nested ten times as deep, but never more than
  // 10,000. Set a lower limit for threads with small stacks: code that walks over an object, such
  // as an encoder, may recurse.
  int max_depth = 1000;
};

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_DECODE_OPTIONS_H_
