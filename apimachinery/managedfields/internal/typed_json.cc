#include "apimachinery/managedfields/internal/typed_json.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/reflect.h"
#include "apimachinery/managedfields/internal/typed_plan.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/validate.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"
#include "apimachinery/table/walk.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

// Nearly all parts that are compared are equal in memory, and then so is their JSON; this is seen
// without a call for a leaf. Where memory differs, JSON may still be the same: "1" and "1000m" are
// one quantity, and an empty list is left out as a null list is. Rather than knowing all these
// rules a second time, the slow way asks the encoder, for the smallest part that differs.
namespace kube::managedfields::internal {
namespace {

using kube::table::BoxRep;
using kube::table::EntrySize;
using kube::table::Kind;
using kube::table::ListBlock;
using kube::table::Load;
using kube::table::Shape;
using kube::table::StringRep;
using kube::table::Type;
using kube::table::ViewAt;
using unstructured::Value;

// Half of what Validate allows: a struct in a list or map is two levels of JSON.
constexpr int kMaxStructs = 500;

const ListBlock* BlockAt(const char* member_at) { return Load<const ListBlock*>(member_at); }

bool IsNullText(const char* at) { return reinterpret_cast<const StringRep*>(at)->is_zero(); }

// Returns whether two leaves are equal in memory, as far as JSON shows it: then they have the same
// JSON and are both left out or both written. Otherwise nothing is known.
bool IsIdentical(const char* a, const char* b, Type type) {
  switch (type.kind) {
    case Kind::kString:
    case Kind::kQuantity:
      return ViewAt(a) == ViewAt(b);
    case Kind::kBytes:
    case Kind::kRawExtension:
    case Kind::kFieldsV1:
    case Kind::kRawJson:
      return ViewAt(a) == ViewAt(b) && IsNullText(a) == IsNullText(b);
    case Kind::kStringList:
      return (BlockAt(a) == nullptr) == (BlockAt(b) == nullptr) &&
             kube::table::EqualValues(a, b, type);
    default:
      return kube::table::EqualValues(a, b, type);
  }
}

// Returns whether different leaves of this kind have different JSON.
bool TellsByMemory(const char* a, const char* b, Kind kind) {
  switch (kind) {
    case Kind::kBool:
    case Kind::kInt32:
    case Kind::kInt64:
      return true;
    case Kind::kString:
      // Invalid bytes become U+FFFD.
      return text::IsValidUtf8(ViewAt(a)) && text::IsValidUtf8(ViewAt(b));
    default:
      return false;
  }
}

// Returns whether values of this kind may be nested in JSON.
bool MayBeDeep(Kind kind) {
  switch (kind) {
    case Kind::kRawExtension:
    case Kind::kFieldsV1:
    case Kind::kRawJson:
    case Kind::kValue:
    case Kind::kMessage:
      return true;
    default:
      return false;
  }
}

}  // namespace

TypedJson::Level::Level(TypedJson& json) : json_(json) {
  if (++json_.depth_ <= kMaxStructs) return;
  is_too_deep_ = true;
  json_.Note(
      absl::InvalidArgumentError(absl::StrCat("nested more than ", kMaxStructs, " structs deep")));
}

bool IsWritten(const char* member_at, const TypedMember& member) {
  // For Go, structs are never empty.
  const bool is_struct = member.sub != nullptr && member.shape == Shape::kValue;
  int may_be_left_out = kube::table::kOmitZero;
  if (!is_struct) may_be_left_out |= kube::table::kOmitEmpty;
  if ((member.field->flags & may_be_left_out) == 0 && member.owner->all_optional == 0) return true;
  return codec::IsWrittenToJson(member_at, *member.owner, *member.field);
}

bool TypedJson::SameStruct(const char* a, const char* b, const TypedPlan& plan) {
  const Level level(*this);
  if (level.is_too_deep()) return false;
  for (const TypedMember& member : plan.members) {
    const size_t offset = member.field->offset;
    if (!SameMember(a + offset, b + offset, member)) return false;
  }
  return true;
}

bool TypedJson::SameMember(const char* a, const char* b, const TypedMember& member) {
  switch (member.shape) {
    case Shape::kValue:
      if (member.sub == nullptr) {
        return IsIdentical(a, b, member.type) || SameMemberJson(a, b, member);
      }
      if (IsWritten(a, member) != IsWritten(b, member)) return false;
      return SameElement(a, b, member.type, member.sub);
    case Shape::kOpt: {
      const size_t presence = member.field->element_size;
      if (a[presence] != b[presence]) return SameMemberJson(a, b, member);
      return a[presence] == 0 || IsIdentical(a, b, member.type) || SameMemberJson(a, b, member);
    }
    case Shape::kBox: {
      const auto x = Load<BoxRep>(a);
      const auto y = Load<BoxRep>(b);
      if (!x && !y) return true;
      if (!x || !y) {
        const bool may_be_null = member.sub == nullptr || !member.sub->is_object();
        return may_be_null && SameMemberJson(a, b, member);
      }
      return SameElement(x.value(), y.value(), member.type, member.sub);
    }
    case Shape::kList:
      return SameLists(a, b, member);
    case Shape::kMap:
      return SameMaps(a, b, member);
  }
  return false;
}

bool TypedJson::SameMemberJson(const char* a, const char* b, const TypedMember& member) {
  const bool is_written = IsWritten(a, member);
  if (is_written != IsWritten(b, member)) return false;
  return !is_written || SameValues(ValueOf(a, member), ValueOf(b, member), member.type.kind);
}

bool TypedJson::SameElement(const char* a, const char* b, Type type, const TypedPlan* sub) {
  if (sub != nullptr) {
    // If a struct has a form of its own in JSON, equal members make equal JSON, but different ones
    // need not make different JSON.
    return SameStruct(a, b, *sub) || (!sub->is_object() && SameElementJson(a, b, type));
  }
  if (type.kind == Kind::kStringList) {
    const ListBlock* x = BlockAt(a);
    const ListBlock* y = BlockAt(b);
    if (x == nullptr || y == nullptr) return x == y;
    return SameItems(x, y, kube::table::kStringType, nullptr);
  }
  return IsIdentical(a, b, type) || SameElementJson(a, b, type);
}

bool TypedJson::SameElementJson(const char* a, const char* b, Type type) {
  if (TellsByMemory(a, b, type.kind)) return false;
  return SameValues(ValueOf(a, type), ValueOf(b, type), type.kind);
}

bool TypedJson::SameValues(const Value& a, const Value& b, Kind kind) {
  if (MayBeDeep(kind)) {
    // Everything else fits this schema.
    Note(Validate(a, DeducedSchema(), {.allow_duplicates = true}));
    Note(Validate(b, DeducedSchema(), {.allow_duplicates = true}));
    if (!status_.ok()) return false;
  }
  return EqualValues(a, b);
}

bool TypedJson::SameItems(const ListBlock* a, const ListBlock* b, Type type, const TypedPlan* sub) {
  if (a == b) return true;
  if (a->size != b->size) return false;
  const char* x = a->elements();
  const char* y = b->elements();
  for (uint32_t i = 0; i < a->size; ++i, x += type.size, y += type.size) {
    if (!SameElement(x, y, type, sub)) return false;
  }
  return true;
}

// Compares two lists or maps of which one is null. Null and empty may both be left out.
bool TypedJson::SameNulls(const char* a, const char* b, const TypedMember& member) {
  const ListBlock* x = BlockAt(a);
  const ListBlock* y = BlockAt(b);
  if (x == y) return true;
  return (x == nullptr ? y : x)->size == 0 && SameMemberJson(a, b, member);
}

bool TypedJson::SameLists(const char* a, const char* b, const TypedMember& member) {
  const ListBlock* x = BlockAt(a);
  const ListBlock* y = BlockAt(b);
  if (x == nullptr || y == nullptr) return SameNulls(a, b, member);
  return SameItems(x, y, member.type, member.sub);
}

bool TypedJson::SameMaps(const char* a, const char* b, const TypedMember& member) {
  const ListBlock* x = BlockAt(a);
  const ListBlock* y = BlockAt(b);
  if (x == nullptr || y == nullptr) return SameNulls(a, b, member);
  if (x == y) return true;
  if (x->size != y->size) return false;
  const size_t stride = EntrySize(member.type);
  const char* p = x->elements();
  const char* q = y->elements();
  for (uint32_t i = 0; i < x->size; ++i, p += stride, q += stride) {
    if (ViewAt(p) != ViewAt(q)) {
      return !TellsByMemory(p, q, Kind::kString) && SameMemberJson(a, b, member);
    }
    if (!SameElement(p + sizeof(StringRep), q + sizeof(StringRep), member.type, member.sub)) {
      return false;
    }
  }
  return true;
}

Value TypedJson::Parse(const absl::StatusOr<std::string>& json) {
  Note(json.status());
  if (!json.ok()) return Value();
  absl::StatusOr<Value> value = unstructured::ParseJson(*json);
  Note(value.status());
  return value.ok() ? *std::move(value) : Value();
}

Value TypedJson::ValueOf(const char* element, Type type) {
  switch (type.kind) {
    case Kind::kString:
      if (text::IsValidUtf8(ViewAt(element))) return ViewAt(element);
      break;
    case Kind::kBool:
      return *element != 0;
    case Kind::kInt32:
      return Load<int32_t>(element);
    case Kind::kInt64:
      return Load<int64_t>(element);
    default:
      break;
  }
  return Parse(codec::ValueView(element, type, Shape::kValue).Json());
}

Value TypedJson::ValueOf(const char* member_at, const TypedMember& member) {
  if (member.shape == Shape::kValue) return ValueOf(member_at, member.type);
  return Parse(codec::ValueView(member_at, member.type, member.shape).Json());
}

}  // namespace kube::managedfields::internal
