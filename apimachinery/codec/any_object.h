#ifndef APIMACHINERY_CODEC_ANY_OBJECT_H_
#define APIMACHINERY_CODEC_ANY_OBJECT_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/deep_size.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/reflect.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/message_type.h"

namespace kube::codec {

// An API object whose kind is known only at run time, for tools that handle objects of any kind. It
// owns the same struct that a program with the static type would use (apimachinery:
// `runtime.Object`).
//
//   KUBE_ASSIGN_OR_RETURN(const auto head, codec::DecodeYaml<metav1::PartialObjectMetadata>(yaml));
//   const kube::KindInfo* kind = kube::api::FindKind(head.api_version, head.kind);
//   if (kind == nullptr) return absl::NotFoundError("find kind: " + head.kind);
//   KUBE_ASSIGN_OR_RETURN(const auto object, codec::AnyObject::DecodeYaml(*kind, yaml));
//   return object.EncodeJson();
//
// Each method follows the rules of the free function with the same name (DecodeJson, EncodeJson and
// so on) and returns its errors. No method compares the kind with the object's own apiVersion and
// kind: these stay as they were decoded.
//
// Move-only; an object that was moved from may only be destroyed or assigned to. Thread-compatible.
class AnyObject {
 public:
  // Creates an object whose members are all zero, including apiVersion and kind. `kind` must
  // outlive the object, as the elements of Kinds() do (client-go: `runtime.Scheme.New`).
  explicit AnyObject(const KindInfo& kind);
  ~AnyObject();
  AnyObject(AnyObject&& other) noexcept = default;
  AnyObject& operator=(AnyObject&& other) noexcept {
    std::swap(kind_, other.kind_);
    std::swap(memory_, other.memory_);
    return *this;
  }

  // Decodes an object of `kind`. Returns INVALID_ARGUMENT with the place if the text is not such an
  // object.
  static absl::StatusOr<AnyObject> DecodeJson(const KindInfo& kind, const PaddedBuffer& json,
                                              const DecodeOptions& options = {});
  static absl::StatusOr<AnyObject> DecodeJson(const KindInfo& kind, absl::string_view json,
                                              const DecodeOptions& options = {});
  static absl::StatusOr<StrictlyDecoded<AnyObject>> DecodeJsonAndReport(
      const KindInfo& kind, absl::string_view json, const DecodeOptions& options = {});
  static absl::StatusOr<AnyObject> DecodeYaml(const KindInfo& kind, absl::string_view yaml,
                                              const DecodeOptions& options = {},
                                              int first_line = 1);
  // Decodes a body with the envelope of Kubernetes, as DecodeKubernetesProtobuf does.
  static absl::StatusOr<AnyObject> DecodeProtobuf(const KindInfo& kind, const PaddedBuffer& body,
                                                  const DecodeOptions& options = {});
  static absl::StatusOr<AnyObject> DecodeProtobuf(const KindInfo& kind, absl::string_view body,
                                                  const DecodeOptions& options = {});

  // Encodes the object. Returns INVALID_ARGUMENT if a member cannot be encoded, such as a Quantity
  // whose text is not a quantity.
  absl::StatusOr<std::string> EncodeJson(const EncodeJsonOptions& options = {}) const;
  absl::StatusOr<std::string> EncodeYaml() const;
  // Encodes the object in the envelope of Kubernetes, with the apiVersion and kind of kind().
  // Returns INVALID_ARGUMENT also if the kind has no protobuf form (a kubeconfig).
  absl::StatusOr<std::string> EncodeProtobuf() const;

  const KindInfo& kind() const { return *kind_; }

  // Returns a deep copy (client-go: `runtime.Object.DeepCopyObject`).
  AnyObject Copy() const;

  // Returns the object as a T, or null if its kind has another type (Go: `obj.(*corev1.Pod)`).
  template <ApiStruct T>
  T* As() {
    return kind_->message == &T::kMessage ? static_cast<T*>(data()) : nullptr;
  }
  template <ApiStruct T>
  const T* As() const {
    return const_cast<AnyObject*>(this)->As<T>();
  }

  // Returns the struct that kind().message describes, for functions that work on field tables.
  void* data() { return memory_.get(); }
  const void* data() const { return memory_.get(); }

  // Returns a view for reading the members. It is valid while the object lives and does not change.
  ValueView View() const;
  // Sets one leaf, as kube::codec::SetPath does.
  absl::Status SetPath(absl::string_view path, absl::string_view text);

  // Replaces the member `name`, such as "status" or "metadata", by a copy of the same member of
  // `from`, which must be of the same kind and may be this object. Returns INVALID_ARGUMENT if
  // there is no such member or it is not a struct held by value.
  absl::Status CopyMember(absl::string_view name, const AnyObject& from);

  // Returns the memory that the object occupies, as kube::codec::DeepSize does.
  ObjectSize DeepSize() const;

  // Compares as == of the static types does: semantically. Objects of different types are not
  // equal.
  friend bool operator==(const AnyObject& a, const AnyObject& b);

 private:
  const kube::table::Message& message() const { return *kind_->message; }

  const KindInfo* kind_;
  std::unique_ptr<char[]> memory_;
};

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_ANY_OBJECT_H_
