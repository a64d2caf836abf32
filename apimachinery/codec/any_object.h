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

// An API object of a kind that is known at run time only: what tools hold that take any kind. It
// owns the same struct that a program with the type at hand would use; Go has runtime.Object for
// it.
//
//   const KindInfo& kind = appsv1::Kinds()[0];
//   KUBE_ASSIGN_OR_RETURN(AnyObject object, AnyObject::DecodeYaml(kind, text));
//   KUBE_ASSIGN_OR_RETURN(std::string json, object.EncodeJson());
//
// Each function does what the one of the same name does for a type, has its errors, and works on
// the kind's whole table: DecodeJson, EncodeJson and so on explain the rules. Nothing here compares
// the kind with the object's own apiVersion and kind, which stay as they were decoded.
//
// Move-only; what was moved from can be destroyed and assigned to, no more. Thread-compatible.
class AnyObject {
 public:
  // A new object: all members zero, also apiVersion and kind. `kind` outlives it, as all do that
  // come from Kinds(). (runtime.Scheme.New)
  explicit AnyObject(const KindInfo& kind);
  ~AnyObject();
  AnyObject(AnyObject&& other) noexcept = default;
  AnyObject& operator=(AnyObject&& other) noexcept {
    std::swap(kind_, other.kind_);
    std::swap(memory_, other.memory_);
    return *this;
  }

  // INVALID_ARGUMENT with the place where the text is not one of an object of this kind.
  static absl::StatusOr<AnyObject> DecodeJson(const KindInfo& kind, const PaddedBuffer& json,
                                              const DecodeOptions& options = {});
  static absl::StatusOr<AnyObject> DecodeJson(const KindInfo& kind, absl::string_view json,
                                              const DecodeOptions& options = {});
  static absl::StatusOr<StrictlyDecoded<AnyObject>> DecodeJsonAndReport(
      const KindInfo& kind, absl::string_view json, const DecodeOptions& options = {});
  static absl::StatusOr<AnyObject> DecodeYaml(const KindInfo& kind, absl::string_view yaml,
                                              const DecodeOptions& options = {},
                                              int first_line = 1);
  // In the envelope of Kubernetes: DecodeKubernetesProtobuf.
  static absl::StatusOr<AnyObject> DecodeProtobuf(const KindInfo& kind, const PaddedBuffer& body,
                                                  const DecodeOptions& options = {});
  static absl::StatusOr<AnyObject> DecodeProtobuf(const KindInfo& kind, absl::string_view body,
                                                  const DecodeOptions& options = {});

  // INVALID_ARGUMENT where a member has no such form, as a Quantity that is none.
  absl::StatusOr<std::string> EncodeJson(const EncodeJsonOptions& options = {}) const;
  absl::StatusOr<std::string> EncodeYaml() const;
  // In the envelope of Kubernetes, which says the kind that kind() is. INVALID_ARGUMENT also for
  // kinds that have no protobuf, such as the kubeconfig.
  absl::StatusOr<std::string> EncodeProtobuf() const;

  const KindInfo& kind() const { return *kind_; }

  // Shares nothing with this one. (runtime.Object.DeepCopyObject)
  AnyObject Copy() const;

  // The object as a T; null where it is none. (Go: obj.(*corev1.Pod))
  template <ApiStruct T>
  T* As() {
    return kind_->message == &T::kMessage ? static_cast<T*>(data()) : nullptr;
  }
  template <ApiStruct T>
  const T* As() const {
    return const_cast<AnyObject*>(this)->As<T>();
  }

  // The struct that kind().message describes, for functions over tables.
  void* data() { return memory_.get(); }
  const void* data() const { return memory_.get(); }

  // Reads the members; a pair of pointers that is good while the object lives.
  ValueView View() const;
  // Writes one, as kube::codec::SetPath does.
  absl::Status SetPath(absl::string_view path, absl::string_view text);

  // Makes a member a copy of that of `from`, an object of the same kind: "status", "metadata".
  // INVALID_ARGUMENT: there is no such member, or it is no struct that is always there.
  absl::Status CopyMember(absl::string_view name, const AnyObject& from);

  ObjectSize DeepSize() const;

  // Semantic, as == of the types. Objects of different types are not equal.
  friend bool operator==(const AnyObject& a, const AnyObject& b);

 private:
  const kube::table::Message& message() const { return *kind_->message; }

  const KindInfo* kind_;
  std::unique_ptr<char[]> memory_;
};

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_ANY_OBJECT_H_
