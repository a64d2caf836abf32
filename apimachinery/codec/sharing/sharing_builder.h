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

// A ScratchBuilder that knows a SharingStore. Before a list, a map or a box is decoded, its decoder
// asks for it here, and for long strings.
class SharingBuilder : public ScratchBuilder {
 public:
  static constexpr bool kShares = true;

  // `nested`: memory for values on their way into the store. `nodes`: gets the nodes that the
  // object points to, each with a reference: whoever takes them clears it. All outlive the builder.
  SharingBuilder(ScratchMemory& memory, ScratchMemory& nested, std::vector<SharingNode*>& nodes,
                 SharingStore& store)
      : ScratchBuilder(memory), nested_(nested), nodes_(nodes), store_(store) {
    store_.BeginObject();
  }
  // Drops the references that nobody took.
  ~SharingBuilder();

  // For an object that was decoded in part before: what was seen then is not seen again.
  void DoNotAdd() { adds_ = false; }

  // The field whose value comes next.
  void EnterField(const kube::table::Field& field) {
    place_ = reinterpret_cast<const char*>(&field);
  }
  // Within a field of any JSON: the names on the way to the value that comes next, as a hash.
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

  // Points `member`, which is null, at the shared value of the text at `p`. After it; null if the
  // value is to be decoded as others are.
  const char* ShareJson(JsonDecoder<SharingBuilder>& decoder, char* member, const char* p,
                        const kube::table::Message& message, const kube::table::Field& field,
                        const ProjectionNode* node);
  // The same of any JSON, an object or an array in `depth` others, at the path that was entered.
  const char* ShareJsonValue(JsonTextDecoder<SharingBuilder>& decoder, char* value, const char* p,
                             int depth);
  // The same of a field that holds the text itself, of any JSON: what is shared was checked once.
  const char* ShareRawJson(JsonDecoder<SharingBuilder>& decoder, char* member, const char* p);
  // The same of the run of values from after the first one's tag.
  const char* ShareWire(WireDecoder<SharingBuilder>& decoder, char* member, const char* p,
                        const char* end, uint64_t tag, const kube::table::Message& message,
                        const kube::table::Field& field, const ProjectionNode* node);

  // What is shared is copied before more is decoded into it.
  void MakeBoxMutable(char* member, Type type);
  void MakeListMutable(char* member, Type type);
  void MakeMapMutable(char* member, Type type);

 private:
  // Of shorter texts, those of up to fifteen bytes are inside a String anyway, and of others a
  // reference and the node take what sharing saves.
  static constexpr size_t kLeastString = 24;
  // A node has a header of its own.
  static constexpr size_t kLeastValue = 32;

  // Shared values begin at most so deep in an object, and are at most so deep themselves: an object
  // is nested too deeply, or not, whatever is shared.
  static constexpr int kMaxDepth = 64;
  static bool IsTooDeep(int depth, int max_depth) {
    return depth > kMaxDepth || max_depth < 2 * kMaxDepth;
  }
  static DecodeContext ContextOfValue(const DecodeContext& context);

  void CopyBlock(char* member, size_t stride, size_t key, Type type);
  // Points `member` at the shared string; false if it is to be kept as others are.
  bool ShareString(char* member, absl::string_view text);
  // The node of the string; null if it is not to be shared.
  SharingNode* FindOrAddString(absl::string_view text, uint64_t hash);
  // What is shared: a list, map or box of such elements.
  struct Shared {
    const void* type;  // see TypeOf
    kube::table::Shape shape;
    Type element;
  };

  SharingNode* MakeNode(absl::string_view encoded, uint64_t hash, const Shared& shared,
                        const char* value);
  // The node of the value, found or made; null if it is not to be shared. `decode` decodes it alone
  // into a null member, with a builder of its own.
  template <typename Decode>
  SharingNode* FindOrMake(absl::string_view encoded, const Shared& shared,
                          SharingStore::Trial& trial, Decode decode);
  // The same of a text that is kept as it is.
  SharingNode* FindOrMakeText(absl::string_view json);
  void Hold(SharingNode* node, SharingStore::Trial& trial) {
    ++trial.hits;
    trial.last = node;
    if (!store_.MarkHeld(node)) return;
    node->AddReference();
    nodes_.push_back(node);
  }
  // Whether a value that the store does not have is to be added.
  bool IsToBeAdded(uint64_t hash) { return adds_ && store_.IsSecondSighting(hash); }

  ScratchMemory& nested_;
  std::vector<SharingNode*>& nodes_;
  SharingStore& store_;
  // A field, or a path within one. No other has its address, nor the three after it.
  const char* place_ = nullptr;
  bool adds_ = true;
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_SHARING_SHARING_BUILDER_H_
