// Decodes an object of any built-in kind from stdin. Measures what such a program links.

#include "api/all_kinds.h"

#include <iostream>
#include <iterator>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/types/kind_info.h"

int main(int argc, char** argv) {
  const kube::KindInfo* kind = argc == 3 ? kube::api::FindKind(argv[1], argv[2]) : nullptr;
  if (kind == nullptr) {
    std::cerr << "usage: all_kinds API_VERSION KIND <OBJECT\n";
    return 2;
  }
  const std::string input((std::istreambuf_iterator<char>(std::cin)), {});
  const absl::StatusOr<kube::codec::AnyObject> object =
      kube::codec::AnyObject::DecodeJson(*kind, absl::string_view(input));
  if (!object.ok()) {
    std::cerr << object.status() << "\n";
    return 1;
  }
  std::cout << kind->plural << "\n";
  return 0;
}
