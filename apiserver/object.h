#ifndef APISERVER_OBJECT_H_
#define APISERVER_OBJECT_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/unstructured/unstructured.h"

namespace kube::apiserver {

// An object of any kind that has metadata, as the server handles it. It owns its data, and can be
// changed. Move-only; see Copy. Types without metadata, such as DeleteOptions, stay a
// codec::AnyObject.
//
// A custom resource has no type of its own. Its metadata is a struct, as for other kinds; the rest,
// without apiVersion and kind, is the unstructured::Unstructured in any(). Thread-compatible.
class Object {
 public:
  // The kind of `any` must have metadata (a CHECK).
  explicit Object(codec::AnyObject any);
  // Makes a custom resource. Its apiVersion and kind are those of `kind`, whatever `object` says;
  // it keeps `kind` alive. Returns INVALID_ARGUMENT if the metadata cannot be decoded.
  static absl::StatusOr<Object> MakeCustom(std::shared_ptr<const KindInfo> kind,
                                           unstructured::Unstructured object);

  Object(Object&&) = default;
  Object& operator=(Object&& other) noexcept {
    std::swap(custom_, other.custom_);
    std::swap(any_, other.any_);
    return *this;
  }

  // Returns a deep copy.
  Object Copy() const;

  const KindInfo& kind() const { return any_.kind(); }
  const api::meta::v1::ObjectMeta& metadata() const;
  api::meta::v1::ObjectMeta& metadata();

  bool is_custom() const { return custom_ != nullptr; }
  // Returns a custom resource as clients see it, with apiVersion, kind and metadata. Must not be
  // called for other kinds (a CHECK).
  unstructured::Unstructured ToUnstructured() const;

  const codec::AnyObject& any() const { return any_; }
  codec::AnyObject& any() { return any_; }

  // Return null if the object is not a T.
  template <ApiStruct T>
  T* As() {
    return any_.As<T>();
  }
  template <ApiStruct T>
  const T* As() const {
    return any_.As<T>();
  }

  // Compares semantically, as the structs' operator== does.
  friend bool operator==(const Object& a, const Object& b);

 private:
  struct Custom {
    std::shared_ptr<const KindInfo> kind;
    api::meta::v1::ObjectMeta metadata;
  };

  Object(codec::AnyObject any, std::unique_ptr<Custom> custom);

  // Owns the kind that `any_` points to. So `any_` must go first: in destruction, and in
  // assignments.
  std::unique_ptr<Custom> custom_;
  codec::AnyObject any_;
};

// One version of an object, as it was from one revision on. Its encoded forms are made when they
// are first needed, and are then shared by all responses and watch events that contain it.
//
// Immutable and thread-safe.
class StoredObject {
 public:
  // Sets the resourceVersion in the metadata, and removes apiVersion and kind, because they depend
  // on the version that a client asks for.
  StoredObject(Object object, int64_t revision);
  // Makes an object that is not stored, such as the result of a dry run. Its metadata is not
  // changed.
  explicit StoredObject(Object object);
  ~StoredObject();
  StoredObject(const StoredObject&) = delete;
  StoredObject& operator=(const StoredObject&) = delete;

  // Returns zero if the object is not stored.
  int64_t revision() const { return revision_; }
  const Object& object() const { return object_; }
  const api::meta::v1::ObjectMeta& metadata() const { return object_.metadata(); }

  // Returns the JSON of the object without apiVersion and kind, as in the items of a list:
  // {"metadata":{...}. That of custom resources contains both.
  const std::string& json() const;
  // Returns the protobuf message, without an envelope.
  const std::string& protobuf() const;

 private:
  const int64_t revision_;
  const Object object_;
  // Made by the first reader. Readers do not wait for each other: if two make it at once, one
  // result is discarded.
  mutable std::atomic<const std::string*> json_ = nullptr;
  mutable std::atomic<const std::string*> protobuf_ = nullptr;
};

using ObjectPtr = std::shared_ptr<const StoredObject>;

}  // namespace kube::apiserver

#endif  // APISERVER_OBJECT_H_
