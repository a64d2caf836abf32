#include "apiserver/object.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/reflect.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"

namespace kube::apiserver {

namespace metav1 = api::meta::v1;
using unstructured::Value;

namespace {

// Returns an encoded form of the object, and makes it if `slot` is still null. Threads that race
// encode twice, and the first result wins.
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
  // A custom resource does not contain them.
  if (object.is_custom()) return object;
  for (absl::string_view member : {"apiVersion", "kind"}) {
    codec::SetPath(object.any().data(), *object.kind().message, member, std::nullopt).IgnoreError();
  }
  return object;
}

// Includes apiVersion and kind, which custom resources have in lists too.
absl::Status AppendCustomJson(std::string& text, const Object& object) {
  const unstructured::Unstructured whole = object.ToUnstructured();
  return codec::AppendJson(text, &whole, unstructured::Unstructured::kMessage);
}

}  // namespace

Object::Object(codec::AnyObject any) : any_(std::move(any)) {
  KUBE_CHECK(meta::MetadataOf(any_) != nullptr);
}

Object::Object(codec::AnyObject any, std::unique_ptr<Custom> custom)
    : custom_(std::move(custom)), any_(std::move(any)) {}

absl::StatusOr<Object> Object::MakeCustom(std::shared_ptr<const KindInfo> kind,
                                          unstructured::Unstructured object) {
  Map<Value>& members = object.object;
  Value metadata;
  if (Value* found = members.find("metadata"); found != nullptr) metadata = std::move(*found);
  if (metadata.is_null()) metadata = Map<Value>::Empty();
  KUBE_ASSIGN_OR_RETURN(metav1::ObjectMeta typed,
                        unstructured::FromValue<metav1::ObjectMeta>(metadata));
  for (absl::string_view member : {"apiVersion", "kind", "metadata"}) members.erase(member);
  codec::AnyObject any(*kind);
  *any.As<unstructured::Unstructured>() = std::move(object);
  Object made(std::move(any), std::make_unique<Custom>());
  made.custom_->kind = std::move(kind);
  made.custom_->metadata = std::move(typed);
  return made;
}

Object Object::Copy() const {
  if (!is_custom()) return Object(any_.Copy());
  return Object(any_.Copy(), std::make_unique<Custom>(*custom_));
}

const metav1::ObjectMeta& Object::metadata() const {
  return is_custom() ? custom_->metadata : *meta::MetadataOf(any_);
}
metav1::ObjectMeta& Object::metadata() {
  return is_custom() ? custom_->metadata : *meta::MetadataOf(any_);
}

unstructured::Unstructured Object::ToUnstructured() const {
  KUBE_CHECK(is_custom());
  unstructured::Unstructured whole = *As<unstructured::Unstructured>();
  whole.set_api_version(absl::StrCat(kind().group, "/", kind().version));
  whole.set_kind(kind().kind);
  absl::StatusOr<Value> metadata = unstructured::ToValue(custom_->metadata);
  // Fails only for managedFields that are not JSON.
  if (metadata.ok()) whole.object["metadata"] = *std::move(metadata);
  return whole;
}

bool operator==(const Object& a, const Object& b) {
  if (!(a.any_ == b.any_) || a.is_custom() != b.is_custom()) return false;
  return !a.is_custom() || a.custom_->metadata == b.custom_->metadata;
}

StoredObject::StoredObject(Object object, int64_t revision)
    : revision_(revision), object_([&] {
        object.metadata().resource_version = absl::StrCat(revision);
        return WithoutKind(std::move(object));
      }()) {}

StoredObject::StoredObject(Object object) : revision_(0), object_(WithoutKind(std::move(object))) {}

StoredObject::~StoredObject() {
  // Takes back what Once released.
  std::unique_ptr<const std::string> json(json_.load(std::memory_order_acquire));
  std::unique_ptr<const std::string> protobuf(protobuf_.load(std::memory_order_acquire));
}

const std::string& StoredObject::json() const {
  return Once(json_, [this](std::string& text) {
    // Objects without a JSON form are rejected before they are stored.
    const absl::Status status = object_.is_custom() ? AppendCustomJson(text, object_)
                                                    : codec::AppendJson(text, object_.any().data(),
                                                                        *object_.kind().message);
    if (!status.ok()) text = R"({"metadata":{}})";
  });
}

const std::string& StoredObject::protobuf() const {
  return Once(protobuf_, [this](std::string& text) {
    codec::AppendProtobuf(text, object_.any().data(), *object_.kind().message).IgnoreError();
  });
}

}  // namespace kube::apiserver
