// How a decoder shares a value. Before it decodes a list, map or box, it calls ShareJson or
// ShareWire with the position of the encoded value:
//
// 1. The Trial of the field says whether a lookup is worthwhile.
// 2. If the input begins with the bytes of the field's last hit, that value is taken. Its end is
//    known then: a JSON object or array ends at its closing bracket, and in protobuf the next tag
//    shows whether the list or map goes on.
// 3. Otherwise the end of the value is found by skipping it, and its bytes are looked up.
// 4. If the store does not have them and this is their second sighting, they are decoded by a
//    decoder of their own, with a plain ScratchBuilder, and copied into a new node.
// 5. The member gets the node's bits, and `nodes_` gets the node with one reference.
//
// In all other cases the function returns null, and the caller decodes the value. That includes
// malformed values, so errors are reported by the ordinary path, with their place in the object.
// In strict mode ShareJson shares nothing, because unknown fields are reported for each object.
//
// A shared value replaces what the member held, so only null members are shared. If the input names
// the same field again, Make...Mutable copies the shared value into scratch memory before more is
// decoded into it. Strings, also map keys, are looked up when they are stored. A shared value does
// not contain other shared values.

#include "apimachinery/codec/sharing/sharing_builder.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/codec/internal/block_writer.h"
#include "apimachinery/codec/internal/builder.h"
#include "apimachinery/codec/internal/projection_node.h"
#include "apimachinery/codec/json/json_decoder.h"
#include "apimachinery/codec/json/json_scan.h"
#include "apimachinery/codec/protobuf/wire.h"
#include "apimachinery/codec/protobuf/wire_decoder.h"
#include "apimachinery/codec/sharing/sharing_node.h"
#include "apimachinery/codec/sharing/sharing_store.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/walk.h"

namespace kube::codec::internal {

using kube::table::Field;
using kube::table::Load;
using kube::table::Message;
using kube::table::Shape;
using kube::table::Storage;
using kube::table::Store;

namespace {

// Returns the type of a field's values in the store. Values are shared only within one field, one
// projection and one format.
const void* TypeOf(const Field& field, const ProjectionNode* node, bool json) {
  const char* type =
      node == nullptr ? reinterpret_cast<const char*>(&field) : reinterpret_cast<const char*>(node);
  return type + (json ? 1 : 0);
}

// Returns the key of the Trial of the strings at a place.
const void* StringTypeOf(const char* place) {
  // Integers, because `place` may be null.
  return reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(place) + 2);
}

// The addresses of these are the types of JSON that is not decoded by a field table: equal texts
// have the same meaning in all fields.
constexpr char kJsonArray = 0;
constexpr char kJsonObject = 0;
// The type of JSON that is kept as text. It was checked to be JSON, unlike the text of strings.
constexpr char kJsonText = 0;

// Returns whether the member is a list, map or box, and null.
bool IsShareable(const Field& field, const char* member) {
  const bool holds =
      field.shape == Shape::kList || field.shape == Shape::kMap || field.shape == Shape::kBox;
  return holds && Load<uint64_t>(member) == 0;
}

// Returns whether another value with this tag begins at `p`.
bool IsRunGoingOn(const char* p, const char* end, uint64_t tag) {
  uint64_t next = 0;
  return p < end && ReadTag(p, end, next) != nullptr && next == tag;
}

// Returns the position after all adjacent values with this tag, or null if one is malformed. `p` is
// the position after the first value's tag.
const char* EndOfRun(const char* p, const char* end, uint64_t tag) {
  for (;;) {
    const char* data = nullptr;
    p = ReadBytes(p, end, data);
    if (p == nullptr || p >= end) return p;
    uint64_t next = 0;
    const char* after = ReadTag(p, end, next);
    if (after == nullptr || next != tag) return p;
    p = after;
  }
}

}  // namespace

SharingBuilder::~SharingBuilder() {
  for (SharingNode* node : nodes_) node->DropReference();
  nodes_.clear();
}

DecodeContext SharingBuilder::ContextOfValue(const DecodeContext& context) {
  DecodeContext of_value = context;
  of_value.max_depth = kMaxDepth;
  return of_value;
}

bool SharingBuilder::ShareString(char* member, absl::string_view text) {
  SharingStore::Trial& trial = store_.TrialOf(StringTypeOf(place_));
  if (!SharingStore::IsWorthwhile(trial)) return false;
  // Strings have no type: equal strings of different fields share one node.
  SharingNode* node = store_.RecallLast(trial, nullptr, text);
  if (node == nullptr) node = FindOrAddString(text, store_.Hash(text, nullptr));
  if (node == nullptr) return false;
  Hold(node, trial);
  Store(member, StringRep::InNode(node->encoded_data(), text.size()));
  return true;
}

SharingNode* SharingBuilder::FindOrAddString(absl::string_view text, uint64_t hash) {
  if (SharingNode* node = store_.Find(hash, nullptr, text)) return node;
  if (!IsToBeAdded(hash) || !store_.HasRoom(SharingNode::StringBytes(text.size()))) return nullptr;
  SharingNode* node = SharingNode::MakeString(text);
  store_.Add(node, hash);
  return node;
}

SharingNode* SharingBuilder::MakeNode(absl::string_view encoded, uint64_t hash,
                                      const Shared& shared, const char* value) {
  const size_t value_bytes = NodeBytes(value, shared.shape, shared.element, encoded);
  const size_t bytes = SharingNode::ValueBytes(encoded.size(), value_bytes);
  if (bytes > SharingNode::kMaxBytes || !store_.HasRoom(bytes)) return nullptr;
  SharingNode* node = SharingNode::MakeValue(encoded, shared.type, value_bytes);
  char member[sizeof(uint64_t)];
  std::memcpy(member, value, sizeof(member));
  BlockWriter writer(node->front(), node->back(), encoded, node->encoded_data());
  bool written = false;
  if (shared.shape == Shape::kBox) {
    written = writer.Box(member, shared.element);
    Store(member, BoxRep::InNode(Load<BoxRep>(member).value()));
  } else {
    written = shared.shape == Shape::kMap ? writer.Map(member, shared.element)
                                          : writer.List(member, shared.element);
    auto* block = Load<ListBlock*>(member);
    // Empty lists are the shared constant, which cannot be written to.
    if (block->size > 0) block->capacity_and_flags |= ListBlock::kInNode;
  }
  KUBE_CHECK(written) << "a node of " << bytes << " bytes";
  node->set_member(Load<uint64_t>(member));
  store_.Add(node, hash);
  return node;
}

template <typename Decode>
SharingNode* SharingBuilder::FindOrMake(absl::string_view encoded, const Shared& shared,
                                        SharingStore::Trial& trial, Decode decode) {
  if (encoded.size() < kLeastValue) {
    --trial.lookups;
    return nullptr;
  }
  const uint64_t hash = store_.Hash(encoded, shared.type);
  SharingNode* node = store_.Find(hash, shared.type, encoded);
  if (node == nullptr) {
    if (!IsToBeAdded(hash)) return nullptr;
    nested_.Reset();
    ScratchBuilder builder(nested_);
    alignas(8) char member[kube::table::kValueType.size] = {};  // or a value of any JSON
    // The caller decodes a malformed value itself, and reports the error with its path.
    if (!decode(builder, member)) return nullptr;
    node = MakeNode(encoded, hash, shared, member);
    if (node == nullptr) return nullptr;
  }
  return node;
}

SharingNode* SharingBuilder::FindOrMakeText(absl::string_view json) {
  const uint64_t hash = store_.Hash(json, &kJsonText);
  SharingNode* node = store_.Find(hash, &kJsonText, json);
  if (node == nullptr) {
    if (json.size() < kLeastString || !IsToBeAdded(hash)) return nullptr;
    const char* const end = json.data() + json.size();
    const char* error = nullptr;
    if (SkipValue(json.data(), end, kMaxDepth, &error) != end) return nullptr;
    if (!store_.HasRoom(SharingNode::ValueBytes(json.size(), 0))) return nullptr;
    node = SharingNode::MakeValue(json, &kJsonText, 0);
    store_.Add(node, hash);
  }
  return node;
}

const char* SharingBuilder::ShareJson(JsonDecoder<SharingBuilder>& decoder, char* member,
                                      const char* p, const Message& message, const Field& field,
                                      const ProjectionNode* node) {
  if ((*p != '{' && *p != '[') || !IsShareable(field, member)) return nullptr;
  // Strict errors inside the value must be reported for each object that has it.
  if (decoder.context().strict_errors != nullptr) return nullptr;
  if (IsTooDeep(decoder.depth(), decoder.context().max_depth)) return nullptr;
  const void* type = TypeOf(field, node, true);
  SharingStore::Trial& trial = store_.TrialOf(type);
  if (!SharingStore::IsWorthwhile(trial)) return nullptr;
  const absl::string_view rest(p, static_cast<size_t>(decoder.end() - p));
  // No JSON object or array is a prefix of another one, so a match is the whole value.
  SharingNode* found = store_.RecallPrefix(trial, type, rest);
  if (found == nullptr) {
    const char* after = JsonScan::SkipNested(p, decoder.end());
    if (after == nullptr) return nullptr;
    const Type element = kube::table::ElementType(message, field);
    found = FindOrMake(
        rest.substr(0, static_cast<size_t>(after - p)), {type, field.shape, element}, trial,
        [&](ScratchBuilder& builder, char* to) {
          const DecodeContext context = ContextOfValue(decoder.context());
          JsonDecoder<ScratchBuilder> alone(builder, rest, decoder.valid_utf8(), context);
          return alone.MemberAlone(to, p, message, field, node) == after && Load<uint64_t>(to) != 0;
        });
    if (found == nullptr) return nullptr;
  }
  Hold(found, trial);
  Store(member, found->member());
  return p + found->encoded_size();
}

const char* SharingBuilder::ShareJsonValue(JsonTextDecoder<SharingBuilder>& decoder, char* value,
                                           const char* p, int depth) {
  if (depth > kMaxDepth || decoder.max_value_depth() < 2 * kMaxDepth) return nullptr;
  SharingStore::Trial& trial = store_.TrialOf(place_);
  if (!SharingStore::IsWorthwhile(trial)) return nullptr;
  const bool object = *p == '{';
  const Shared shared = {object ? &kJsonObject : &kJsonArray, object ? Shape::kMap : Shape::kList,
                         kube::table::kValueType};
  const absl::string_view rest(p, static_cast<size_t>(decoder.end() - p));
  SharingNode* found = store_.RecallPrefix(trial, shared.type, rest);
  if (found == nullptr) {
    const char* after = JsonScan::SkipNested(p, decoder.end());
    if (after == nullptr) return nullptr;
    found = FindOrMake(rest.substr(0, static_cast<size_t>(after - p)), shared, trial,
                       [&](ScratchBuilder& builder, char* to) {
                         JsonTextDecoder<ScratchBuilder> alone(builder, rest, decoder.valid_utf8(),
                                                               decoder.context());
                         return alone.DecodeShallowValue(to, p, kMaxDepth) == after;
                       });
    if (found == nullptr) return nullptr;
  }
  Hold(found, trial);
  Store(value, found->member());
  SetValueTag(value, object ? kube::table::ValueTag::kObject : kube::table::ValueTag::kList);
  return p + found->encoded_size();
}

const char* SharingBuilder::ShareRawJson(JsonDecoder<SharingBuilder>& decoder, char* member,
                                         const char* p) {
  if ((*p != '{' && *p != '[') || decoder.depth() > kMaxDepth) return nullptr;
  SharingStore::Trial& trial = store_.TrialOf(StringTypeOf(place_));
  if (!SharingStore::IsWorthwhile(trial)) return nullptr;
  const absl::string_view rest(p, static_cast<size_t>(decoder.end() - p));
  SharingNode* found = store_.RecallPrefix(trial, &kJsonText, rest);
  if (found == nullptr) {
    const char* after = JsonScan::SkipNested(p, decoder.end());
    if (after == nullptr) return nullptr;
    found = FindOrMakeText(rest.substr(0, static_cast<size_t>(after - p)));
    if (found == nullptr) return nullptr;
  }
  Hold(found, trial);
  Store(member, StringRep::InNode(found->encoded_data(), found->encoded_size()));
  return p + found->encoded_size();
}

const char* SharingBuilder::ShareWire(WireDecoder<SharingBuilder>& decoder, char* member,
                                      const char* p, const char* end, uint64_t tag,
                                      const Message& message, const Field& field,
                                      const ProjectionNode* node) {
  if (!IsShareable(field, member)) return nullptr;
  if (IsTooDeep(decoder.depth(), decoder.context().max_depth)) return nullptr;
  const void* type = TypeOf(field, node, false);
  SharingStore::Trial& trial = store_.TrialOf(type);
  if (!SharingStore::IsWorthwhile(trial)) return nullptr;
  const absl::string_view rest(p, static_cast<size_t>(end - p));
  SharingNode* found = store_.RecallPrefix(trial, type, rest);
  if (found != nullptr && field.shape != Shape::kBox &&
      IsRunGoingOn(p + found->encoded_size(), end, tag)) {
    found = nullptr;
  }
  if (found == nullptr) {
    const char* data = nullptr;
    const char* after =
        field.shape == Shape::kBox ? ReadBytes(p, end, data) : EndOfRun(p, end, tag);
    if (after == nullptr) return nullptr;
    const absl::string_view encoded = rest.substr(0, static_cast<size_t>(after - p));
    found =
        FindOrMake(encoded, {type, field.shape, kube::table::ElementType(message, field)}, trial,
                   [&](ScratchBuilder& builder, char* to) {
                     const DecodeContext context = ContextOfValue(decoder.context());
                     WireDecoder<ScratchBuilder> alone(builder, context);
                     return alone.MemberAlone(to, p, after, tag, message, field, node) == after &&
                            Load<uint64_t>(to) != 0;
                   });
    if (found == nullptr) return nullptr;
  }
  Hold(found, trial);
  Store(member, found->member());
  return p + found->encoded_size();
}

void SharingBuilder::MakeBoxMutable(char* member, Type type) {
  const auto box = Load<BoxRep>(member);
  if (!box || !box.is_in_node()) return;
  const size_t bytes = kube::table::AlignUp(type.size) + BlockBytes(box.value(), 1, 0, type);
  char* front = memory().Get(bytes);
  Store(member, BoxRep::InBlock(box.value()));
  KUBE_CHECK(BlockWriter(front, front + bytes).Box(member, type));
}

void SharingBuilder::MakeListMutable(char* member, Type type) {
  CopyBlock(member, type.size, 0, type);
}

void SharingBuilder::MakeMapMutable(char* member, Type type) {
  CopyBlock(member, kube::table::EntrySize(type), sizeof(StringRep), type);
}

// Copies a shared list or map into scratch memory, with everything in it except strings: they stay
// in the node, to which the object keeps its reference.
void SharingBuilder::CopyBlock(char* member, size_t stride, size_t key, Type type) {
  const auto* block = Load<const ListBlock*>(member);
  if (block == nullptr || !block->is_in_node()) return;
  const size_t block_bytes = ListBlock::Bytes(block->size, stride);
  const size_t bytes = kube::table::AlignUp(block_bytes) +
                       BlockBytes(block->elements() + key, block->size, stride, type);
  char* front = memory().Get(bytes);
  std::memcpy(front, block, block_bytes);
  auto* copy = reinterpret_cast<ListBlock*>(front);
  copy->capacity_and_flags = copy->size | ListBlock::kInBlock;
  BlockWriter writer(front + kube::table::AlignUp(block_bytes), front + bytes);
  KUBE_CHECK(writer.Elements(copy->elements() + key, copy->size, stride, type));
  Store(member, copy);
}

}  // namespace kube::codec::internal
