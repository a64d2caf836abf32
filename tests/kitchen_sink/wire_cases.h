#ifndef TESTS_KITCHEN_SINK_WIRE_CASES_H_
#define TESTS_KITCHEN_SINK_WIRE_CASES_H_

#include <string>
#include <vector>

namespace kube::oracle {

// Bytes of protobuf for a type of the kitchen sink, and what Go makes of them.
struct WireCase {
  enum Result {
    kRead,
    // Go decodes it but cannot write it as JSON, because of infinity or a raw value that is not
    // JSON.
    kNoJson,
    // Go does not decode it.
    kRefused,
  };

  // A unique name, such as "Varint: cut off".
  std::string name;
  // The name in the IDL, such as "Point".
  std::string type;
  std::string wire;
  Result result;
  // The exact JSON that Go writes for the decoded value.
  std::string json;
};

// Returns about 160 cases: varints, tags, lengths, wire types, unknown fields, packed lists,
// repeated fields, map entries, each leaf type, inline structs, depth. To get what Go's encoder
// writes for a type, ask KitchenOracle.
std::vector<WireCase> WireCases();

}  // namespace kube::oracle

#endif  // TESTS_KITCHEN_SINK_WIRE_CASES_H_
