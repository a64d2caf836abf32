// peers PEER FOLDER SET FORMAT: measures a peer in C++.
#include <cstddef>
#include <iostream>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "benchmarks/codec/peers.h"
#include "benchmarks/codec/records.h"

namespace kube::benchmarks {
namespace {

struct Peer {
  absl::string_view name;
  absl::string_view format;
  void (*measure)(const Records&);
};

constexpr Peer kPeers[] = {
    {"protobuf", "protobuf", MeasureProtobuf},
    {"protobuf-arena", "protobuf", MeasureProtobufArena},
    {"simdjson", "json", MeasureSimdjson},
    {"simdjson-ondemand", "json", MeasureSimdjsonOnDemand},
};

int Main(absl::string_view name, absl::string_view folder, absl::string_view set,
         absl::string_view format) {
  for (const Peer& peer : kPeers) {
    if (peer.name != name || peer.format != format) continue;
    const absl::StatusOr<Records> records =
        OpenRecords(absl::StrCat(folder, "/", set, ".", format));
    if (!records.ok()) {
      std::cerr << records.status().message() << "\n";
      return 1;
    }
    peer.measure(*records);
    return 0;
  }
  std::cerr << "find a peer: no " << std::string(format) << " of " << std::string(name) << "\n";
  return 1;
}

}  // namespace
}  // namespace kube::benchmarks

int main(int argc, char* argv[]) {
  if (argc != 5) {
    std::cerr << "usage: peers PEER FOLDER SET FORMAT\n";
    return 2;
  }
  return kube::benchmarks::Main(argv[1], argv[2], argv[3], argv[4]);
}
