// Decodes a Pod, or with an argument a Lease, in JSON or protobuf, from stdin. Measures what a
// program links that uses only these kinds.

#include <iostream>
#include <iterator>
#include <string>

#include "absl/status/statusor.h"
#include "api/coordination/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/decode_protobuf.h"

namespace kube {
namespace {

template <typename T>
int PrintName(const std::string& input) {
  const bool is_json = input.substr(0, 1) == "{";
  const absl::StatusOr<T> object =
      is_json ? codec::DecodeJson<T>(input) : codec::DecodeKubernetesProtobuf<T>(input);
  if (!object.ok()) {
    std::cerr << object.status() << "\n";
    return 1;
  }
  std::cout << object->metadata.name << "\n";
  return 0;
}

}  // namespace
}  // namespace kube

int main(int argc, char**) {
  const std::string input((std::istreambuf_iterator<char>(std::cin)), {});
  return argc == 1 ? kube::PrintName<kube::api::core::v1::Pod>(input)
                   : kube::PrintName<kube::api::coordination::v1::Lease>(input);
}
