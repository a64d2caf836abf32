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

// An object as the server handles it: of any kind that has metadata, its own to change.
//
// Kinds without metadata are none: a DeleteOptions stays a codec::AnyObject. Move-only, see Copy.
//
// A custom resource has no type. Its metadata is a struct as all others have; the rest of it, but
// for apiVersion and kind, is the unstructured::Unstructured in any(). Thread-compatible.
class Object {
 public:
  // `any` is of a kind with metadata.
  explicit Object(codec::AnyObject any);
  // A custom resource: `kind` says its apiVersion and kind, whatever `object` does, and lives as
  // long as it. INVALID_ARGUMENT where its metadata is none.
  static absl::StatusOr<Object> MakeCustom(std::shared_ptr<const KindInfo> kind,
                                           unstructured::Unstructured object);

  Object(Object&&) = default;
  Object& operator=(Object&& other) noexcept {
    std::swap(custom_, other.custom_);
    std::swap(any_, other.any_);
    return *this;
  }

  // Shares nothing with this one.
  Object Copy() const;

  const KindInfo& kind() const { return any_.kind(); }
  const api::meta::v1::ObjectMeta& metadata() const;
  api::meta::v1::ObjectMeta& metadata();

  bool is_custom() const { return custom_ != nullptr; }
  // A custom resource as a whole, as clients see it.
  unstructured::Unstructured ToUnstructured() const;

  const codec::AnyObject& any() const { return any_; }
  codec::AnyObject& any() { return any_; }

  // Null: it is not a T.
  template <ApiStruct T>
  T* As() {
    return any_.As<T>();
  }
  template <ApiStruct T>
  const T* As() const {
    return any_.As<T>();
  }

  // Semantic.
  friend bool operator==(const Object& a, const Object& b);

 private:
  struct Custom {
    std::shared_ptr<const KindInfo> kind;
    api::meta::v1::ObjectMeta metadata;
  };

  Object(codec::AnyObject any, std::unique_ptr<Custom> custom);

  // It has the kind of any_, which therefore goes first, here and in assignments.
  std::unique_ptr<Custom> custom_;
  codec::AnyObject any_;
};

// One version of an object: what it was from one revision on. Its encoded forms are made when they
// are first asked for, and then shared by every list, get and watch that sends it.
//
// Immutable, and thread-safe.
class StoredObject {
 public:
  // Has its metadata say the revision; its apiVersion and kind are taken out, since they depend on
  // who asks.
  StoredObject(Object object, int64_t revision);
  // One that is not stored, as of a dry run: its metadata stays as it is.
  explicit StoredObject(Object object);
  ~StoredObject();
  StoredObject(const StoredObject&) = delete;
  StoredObject& operator=(const StoredObject&) = delete;

  // Zero: it is not stored.
  int64_t revision() const { return revision_; }
  const Object& object() const { return object_; }
  const api::meta::v1::ObjectMeta& metadata() const { return object_.metadata(); }

  // "{"metadata":{...": without apiVersion and kind, as the items of a list. Custom resources have
  // them there, too.
  const std::string& json() const;
  // The message, without an envelope.
  const std::string& protobuf() const;

 private:
  const int64_t revision_;
  const Object object_;
  // Made by whoever comes first; of two at once, one is thrown away: so nobody waits.
  mutable std::atomic<const std::string*> json_ = nullptr;
  mutable std::atomic<const std::string*> protobuf_ = nullptr;
};

using ObjectPtr = std::shared_ptr<const StoredObject>;

}  // namespace kube::apiserver

#endif  // APISERVER_OBJECT_H_
