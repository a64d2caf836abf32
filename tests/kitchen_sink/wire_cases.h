#ifndef TESTS_KITCHEN_SINK_WIRE_CASES_H_
#define TESTS_KITCHEN_SINK_WIRE_CASES_H_

#include <string>
#include <vector>

namespace kube::oracle {

// Bytes of protobuf, as one of the types of the kitchen sink, with what Go makes of them.
struct WireCase {
  enum Result {
    kRead,
    // Go reads it, and cannot write it as JSON: infinity, a raw value that is no JSON.
    kNoJson,
    // Go does not read it.
    kRefused,
  };

  // "Varint: cut off": unique.
  std::string name;
  // As in the IDL: "Point".
  std::string type;
  std::string wire;
  Result result;
  // The JSON that Go writes of what it has read, byte for byte.
  std::string json;
};

// A hundred and sixty of them: varints, tags, lengths, wire types, unknown fields, packed lists,
// fields that come twice, entries of maps, each leaf type, inline structs, depth. What Go's own
// encoder makes of a type it is asked for with KitchenOracle.
std::vector<WireCase> WireCases();

}  // namespace kube::oracle

#endif  // TESTS_KITCHEN_SINK_WIRE_CASES_H_
