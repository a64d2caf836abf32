#ifndef APIMACHINERY_UNSTRUCTURED_INTERNAL_CBOR_DECODER_H_
#define APIMACHINERY_UNSTRUCTURED_INTERNAL_CBOR_DECODER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"

namespace kube::unstructured::internal {

// Decodes one CBOR data item. Thread-compatible.
class CborDecoder {
 public:
  // `data` must outlive the decoder.
  explicit CborDecoder(absl::string_view data) : data_(data) {}

  // Returns the value of the data item, which must be all of the data; see ParseCbor.
  absl::StatusOr<Value> Decode() &&;

 private:
  // The text that a byte string becomes, which tags around it say.
  enum class Encoding : uint8_t { kNone, kBase64Url, kBase64, kBase16 };

  // The beginning of a data item.
  struct Head {
    uint8_t major = 0;
    uint8_t info = 0;
    uint64_t value = 0;  // the bits of a floating-point number

    bool indefinite() const { return info == 31; }
  };

  // A data item and the tags around it.
  struct Item {
    Head head;
    int depth = 0;
    Encoding encoding = Encoding::kNone;
    std::optional<uint64_t> time_tag;
  };

  // An array or map that is not read to its end.
  struct Frame {
    bool is_map = false;
    bool indefinite = false;
    uint64_t left = 0;  // elements or pairs, unless the length is indefinite
    int depth = 0;
    Encoding encoding = Encoding::kNone;
    bool has_key = false;
    std::string key;  // of the member that is read, or was read last
    List<Value> elements;
    std::vector<std::pair<std::string, Value>> members;
  };

  absl::StatusOr<Head> ReadHead();
  // Reads a head, after the tags before it. `depth` and `encoding` are those of the array or map
  // around it.
  absl::StatusOr<Item> ReadItemHead(int depth, Encoding encoding);
  absl::Status CheckTag(uint64_t tag) const;
  absl::StatusOr<std::string> ReadString(const Item& item);

  // Reads a data item: delivers its value, or opens an array or map.
  absl::Status ReadItem();
  absl::Status ReadKey();
  absl::Status Open(const Item& item);
  absl::StatusOr<bool> AtEnd();
  // Ends the innermost array or map and delivers its value.
  absl::Status Close();
  // Puts a value into the innermost array or map, or makes it the result.
  void Deliver(Value value);

  absl::StatusOr<Value> ReadTime(const Item& item);
  absl::StatusOr<Value> ReadScalar(const Item& item);
  absl::StatusOr<Value> ReadPrimitive(const Head& head);

  absl::Status Truncated() const { return Failed("unexpected end"); }
  template <typename... Parts>
  absl::Status Failed(const Parts&... parts) const {
    return absl::InvalidArgumentError(
        absl::StrCat("decode CBOR: ", absl::StrCat(parts...), " at byte ", pos_));
  }

  const absl::string_view data_;
  size_t pos_ = 0;
  std::vector<Frame> frames_;
  Value result_;
};

// Returns the number that a half-precision floating-point number is.
double HalfToDouble(uint16_t half);

}  // namespace kube::unstructured::internal

#endif  // APIMACHINERY_UNSTRUCTURED_INTERNAL_CBOR_DECODER_H_
