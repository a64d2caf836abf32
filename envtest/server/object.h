#ifndef ENVTEST_SERVER_OBJECT_H_
#define ENVTEST_SERVER_OBJECT_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/message_type.h"

namespace kube::envtest {

// An object as the server handles it: of any kind that has metadata, its own to change.
//
// Kinds without metadata are none: a DeleteOptions stays a codec::AnyObject. Move-only, see Copy.
// Thread-compatible.
class Object {
 public:
  // `any` is of a kind with metadata.
  explicit Object(codec::AnyObject any);

  // Shares nothing with this one.
  Object Copy() const;

  const KindInfo& kind() const { return any_.kind(); }
  const api::meta::v1::ObjectMeta& metadata() const;
  api::meta::v1::ObjectMeta& metadata();

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

 private:
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

  // "{"metadata":{...": without apiVersion and kind, as the items of a list.
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

}  // namespace kube::envtest

#endif  // ENVTEST_SERVER_OBJECT_H_
