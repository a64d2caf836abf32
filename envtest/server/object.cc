#include "envtest/server/object.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/reflect.h"
#include "apimachinery/meta/accessor.h"

namespace kube::envtest {
namespace {

// The object's text in one of its forms, made at most once but for races.
template <typename Encode>
const std::string& Once(std::atomic<const std::string*>& slot, Encode encode) {
  if (const std::string* made = slot.load(std::memory_order_acquire); made != nullptr) return *made;
  auto text = std::make_unique<std::string>();
  encode(*text);
  const std::string* expected = nullptr;
  if (slot.compare_exchange_strong(expected, text.get(), std::memory_order_acq_rel)) {
    return *text.release();
  }
  return *expected;
}

Object WithoutKind(Object object) {
  for (absl::string_view member : {"apiVersion", "kind"}) {
    codec::internal::SetPath(object.any().data(), *object.kind().message, member, std::nullopt)
        .IgnoreError();
  }
  return object;
}

}  // namespace

Object::Object(codec::AnyObject any) : any_(std::move(any)) {
  KUBE_CHECK(meta::MetadataOf(any_) != nullptr);
}

Object Object::Copy() const { return Object(any_.Copy()); }

const api::meta::v1::ObjectMeta& Object::metadata() const { return *meta::MetadataOf(any_); }
api::meta::v1::ObjectMeta& Object::metadata() { return *meta::MetadataOf(any_); }

StoredObject::StoredObject(Object object, int64_t revision)
    : revision_(revision), object_([&] {
        object.metadata().resource_version = absl::StrCat(revision);
        return WithoutKind(std::move(object));
      }()) {}

StoredObject::StoredObject(Object object) : revision_(0), object_(WithoutKind(std::move(object))) {}

StoredObject::~StoredObject() {
  // What Once released.
  std::unique_ptr<const std::string> json(json_.load(std::memory_order_acquire));
  std::unique_ptr<const std::string> protobuf(protobuf_.load(std::memory_order_acquire));
}

const std::string& StoredObject::json() const {
  return Once(json_, [this](std::string& text) {
    // What has no JSON was refused before it was stored.
    const absl::Status status =
        codec::internal::AppendJson(text, object_.any().data(), *object_.kind().message);
    if (!status.ok()) text = R"({"metadata":{}})";
  });
}

const std::string& StoredObject::protobuf() const {
  return Once(protobuf_, [this](std::string& text) {
    codec::internal::AppendProtobuf(text, object_.any().data(), *object_.kind().message)
        .IgnoreError();
  });
}

}  // namespace kube::envtest
