#ifndef APIMACHINERY_TYPES_TESTING_PART_H_
#define APIMACHINERY_TYPES_TESTING_PART_H_

// A struct like those that protoc-gen-kube writes, with every shape and the kinds that are
// error-prone. Its table is written by hand.

#include <cstdint>

#include "apimachinery/table/message.h"
#include "apimachinery/types/box.h"
#include "apimachinery/types/bytes.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/operators.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"

namespace kube {

using table::operators::operator==;
using table::operators::operator<<;
using table::operators::AbslHashValue;

// Small and of an odd size: the next entry in a Map needs padding.
struct Size {
  int32_t width{};
  Opt<bool> exact{};

  static const table::MessageWith<16> kMessage;
};

struct Part {
  String name{};
  Opt<int32_t> count{};
  Opt<String> note{};
  bool flag{};
  int64_t number{};
  double weight{};
  Bytes data{};
  Size size{};
  Box<Size> limit{};
  Box<Part> child{};
  List<Part> parts{};
  List<String> tags{};
  List<int32_t> ports{};
  List<List<String>> groups{};
  Map<String> labels{};
  Map<Size> sizes{};
  Map<bool> flags{};
  Map<List<String>> extra{};
  Map<Part> index{};

  static const table::MessageWith<16> kMessage;
};

// Returns a Part with a value in every member.
Part FullPart();

}  // namespace kube

#endif  // APIMACHINERY_TYPES_TESTING_PART_H_
