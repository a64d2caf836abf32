#ifndef APIMACHINERY_CODEC_SHARING_SHARING_BUILDER_H_
#define APIMACHINERY_CODEC_SHARING_SHARING_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/codec/internal/builder.h"
#include "apimachinery/codec/internal/decode_context.h"
#include "apimachinery/codec/internal/projection_node.h"
#include "apimachinery/codec/sharing/sharing_node.h"
#include "apimachinery/codec/sharing/sharing_store.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {

template <typename BuilderT>
class JsonDecoder;
template <typename BuilderT>
class JsonTextDecoder;
template <typename BuilderT>
class WireDecoder;

// A ScratchBuilder with a SharingStore. Before a decoder decodes a list, a map or a box, it calls
// ShareJson or ShareWire, which may set the member to a shared value instead. Long strings are
// looked up when they are stored. One builder is used for one object. Thread-compatible.
class SharingBuilder : public ScratchBuilder {
 public:
  static constexpr bool kShares = true;

  // `nested` is used to decode values for the store. `nodes` receives each node to which the object
  // points, with a reference; code that takes over the references clears it. All arguments must
  // outlive the builder.
  SharingBuilder(ScratchMemory& memory, ScratchMemory& nested, std::vector<SharingNode*>& nodes,
                 SharingStore& store)
      : ScratchBuilder(memory), nested_(nested), nodes_(nodes), store_(store) {
    store_.BeginObject();
  }
  // Drops the references that are still in `nodes`.
  ~SharingBuilder();

  // Adds no values to the store. For an object that was decoded in part before: values of that
  // attempt must not count as seen twice.
  void DoNotAdd() { adds_ = false; }

  // Sets the field whose value comes next.
  void EnterField(const kube::table::Field& field) {
    place_ = reinterpret_cast<const char*>(&field);
  }
  // Within a field of arbitrary JSON: sets a hash of the keys that lead to the next value.
  void EnterJsonPath(uint64_t path) { place_ = reinterpret_cast<const char*>(path & ~uint64_t{3}); }

  void KeepString(char* member, const char* data, size_t size) {
    if (size < kLeastString || !ShareString(member, {data, size})) {
      ScratchBuilder::KeepString(member, data, size);
    }
  }
  void KeepBytes(char* member, const char* data, size_t size) {
    if (size < kLeastString || !ShareString(member, {data, size})) {
      KeepUnshared(member, data, size);
    }
  }
  char* KeepKey(char* member, Type type, absl::string_view key) {
    return Entry(member, type, key, [&](char* at) {
      if (key.size() < kLeastString || !ShareString(at, key)) {
        ScratchBuilder::KeepString(at, key.data(), key.size());
      }
    });
  }

  // Points a null `member` to the shared value of the text at `p`. Returns the position after the
  // text, or null if the caller has to decode the value.
  const char* ShareJson(JsonDecoder<SharingBuilder>& decoder, char* member, const char* p,
                        const kube::table::Message& message, const kube::table::Field& field,
                        const ProjectionNode* node);
  // Does the same for an unstructured::Value: an object or array that is nested in `depth` others,
  // at the path given to EnterJsonPath.
  const char* ShareJsonValue(JsonTextDecoder<SharingBuilder>& decoder, char* value, const char* p,
                             int depth);
  // Does the same for a field that holds JSON as text. The text is checked when it is added.
  const char* ShareRawJson(JsonDecoder<SharingBuilder>& decoder, char* member, const char* p);
  // Does the same for a box, or for adjacent values of a list or map, in protobuf. `p` is the
  // position after the first value's tag.
  const char* ShareWire(WireDecoder<SharingBuilder>& decoder, char* member, const char* p,
                        const char* end, uint64_t tag, const kube::table::Message& message,
                        const kube::table::Field& field, const ProjectionNode* node);

  // Replace a shared value by a copy in scratch memory, so that more can be decoded into it.
  void MakeBoxMutable(char* member, Type type);
  void MakeListMutable(char* member, Type type);
  void MakeMapMutable(char* member, Type type);

 private:
  // Minimum sizes of what is shared. Strings of up to fifteen bytes are stored inside String
  // anyway; for slightly longer ones, the node and the reference to it cost what sharing saves.
  static constexpr size_t kLeastString = 24;
  static constexpr size_t kLeastValue = 32;

  // Maximum depth at which shared values begin, and maximum depth within them. Together they must
  // not exceed the decoder's limit: whether an object is nested too deeply must not depend on what
  // is shared.
  static constexpr int kMaxDepth = 64;
  static bool IsTooDeep(int depth, int max_depth) {
    return depth > kMaxDepth || max_depth < 2 * kMaxDepth;
  }
  // Returns the context for decoding a value alone, with kMaxDepth as its limit.
  static DecodeContext ContextOfValue(const DecodeContext& context);

  void CopyBlock(char* member, size_t stride, size_t key, Type type);
  // Points `member` to the shared string. Returns false if the string is not shared.
  bool ShareString(char* member, absl::string_view text);
  // Returns the node of the string, or null if it is not shared.
  SharingNode* FindOrAddString(absl::string_view text, uint64_t hash);
  // The kind of a shared value: a list, map or box of `element`.
  struct Shared {
    const void* type;  // see TypeOf
    kube::table::Shape shape;
    Type element;
  };

  // Copies the list, map or box at `value` into a new node and adds it to the store. Returns null
  // if there is no room.
  SharingNode* MakeNode(absl::string_view encoded, uint64_t hash, const Shared& shared,
                        const char* value);
  // Returns the node of the value, found or made, or null if it is not shared. `decode` decodes the
  // value into a null member, with a builder that does not share, and returns whether it is valid.
  template <typename Decode>
  SharingNode* FindOrMake(absl::string_view encoded, const Shared& shared,
                          SharingStore::Trial& trial, Decode decode);
  // Does the same for JSON that is kept as text.
  SharingNode* FindOrMakeText(absl::string_view json);
  // Counts a hit, and takes a reference for the object if it has none yet.
  void Hold(SharingNode* node, SharingStore::Trial& trial) {
    ++trial.hits;
    trial.last = node;
    if (!store_.MarkHeld(node)) return;
    node->AddReference();
    nodes_.push_back(node);
  }
  // Returns whether to add a value that the store does not have.
  bool IsToBeAdded(uint64_t hash) { return adds_ && store_.IsSecondSighting(hash); }

  ScratchMemory& nested_;
  std::vector<SharingNode*>& nodes_;
  SharingStore& store_;
  // The address of the present field, or the hash of a path within a field; null before the first.
  // It is a multiple of four: TypeOf and StringTypeOf add one or two to it.
  const char* place_ = nullptr;
  bool adds_ = true;
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_SHARING_SHARING_BUILDER_H_
