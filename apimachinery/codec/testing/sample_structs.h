#ifndef APIMACHINERY_CODEC_TESTING_SAMPLE_STRUCTS_H_
#define APIMACHINERY_CODEC_TESTING_SAMPLE_STRUCTS_H_

// Structs like those that protoc-gen-kube generates, with handwritten tables, for tests of single
// rules. Leaves have the types that they consist of: a Quantity is a String, a Time an int64_t.

#include <cstdint>

#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/box.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/operators.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"

namespace kube::codec::internal {

using kube::table::operators::operator==;

// A small struct that contains itself.
struct TestPart {
  String name = {};            // 1, "name", never left out
  Opt<int32_t> port = {};      // 2, "port", omitempty
  Map<String> labels = {};     // 3, "labels", omitempty
  Box<TestPart> next = {};     // 4, "next", omitempty
  List<TestPart> parts = {};   // 5, "parts", omitempty
  Map<String> resources = {};  // 6, "resources", omitempty; quantities

  static const kube::table::MessageWith<16> kMessage;
};

// Every kind by value; none is omitted from JSON.
struct TestLeaves {
  String text = {};           // 1, "text"
  String bytes = {};          // 2, "bytes"
  String quantity = {};       // 3, "quantity"
  String raw_extension = {};  // 4, "rawExtension"
  String fields = {};         // 5, "fieldsV1"
  String raw_json = {};       // 6, "json"
  bool flag = false;          // 7, "flag"
  int32_t int32 = 0;          // 8, "int32"
  int64_t int64 = 0;          // 9, "int64"
  double number = 0;          // 10, "number"
  int64_t time = 0;           // 11, "time"
  int64_t micro_time = 0;     // 12, "microTime": with the next member
  int64_t micros = 0;
  int64_t duration = 0;       // 13, "duration"
  String int_or_string = {};  // 14, "intOrString": with the next two members
  int32_t int_value = 0;      //
  int32_t int_or_type = 0;    // 0: int, 1: string
  List<String> strings = {};  // 15, "strings": a list that is a value
  TestPart part = {};         // 16, "part"

  static const kube::table::MessageWith<16> kMessage;
};

// The same members, with omitempty or omitzero set in `flags` of every field.
struct TestOmitEmpty : TestLeaves {
  static const kube::table::MessageWith<16> kMessage;
};
struct TestOmitZero : TestLeaves {
  static const kube::table::MessageWith<16> kMessage;
};

// Every shape, and an inline struct: on the wire `source` and `target` are within message 3.
struct TestShapes {
  String api_version = {};             // JSON only, omitempty
  Opt<String> text = {};               // 9, "text", null where absent
  Opt<int64_t> time = {};              // 8, "time", null where absent
  Opt<int64_t> left_out = {};          // 7, "leftOut", omitempty; a time
  Box<TestPart> part = {};             // 1, "part", null where absent
  List<TestPart> parts = {};           // 2, "parts", null where null
  String source = {};                  // 3.1, "source", omitempty
  Box<TestPart> target = {};           // 3.2, "target", omitempty
  List<int32_t> ints = {};             // 5, "ints", omitempty
  List<double> doubles = {};           // 4, "doubles", omitempty
  Map<TestPart> part_map = {};         // 20, "partMap", null where null
  Map<int32_t> int_map = {};           // 21, "intMap", omitempty
  Map<String> bytes_map = {};          // 22, "bytesMap", omitempty; bytes
  Map<List<String>> strings_map = {};  // 23, "stringsMap", omitempty
  List<List<String>> lists = {};       // 24, "lists", omitempty

  static const kube::table::MessageWith<16> kMessage;
};

// An apply configuration.
struct TestApply {
  Opt<String> name = {};
  Opt<int32_t> port = {};
  List<String> finalizers = {};
  Map<String> labels = {};
  Box<TestApply> next = {};
  String data = {};  // bytes

  static const kube::table::MessageWith<16> kMessage;
};

// Structs whose JSON is not an object with their fields (see JsonForm).
struct TestOrBool {
  bool allows = false;
  Box<TestPart> schema = {};

  static const kube::table::MessageWith<16> kMessage;
};
struct TestOrArray {
  Box<TestPart> schema = {};
  List<TestPart> parts = {};

  static const kube::table::MessageWith<16> kMessage;
};
struct TestOrStrings {
  Box<TestPart> schema = {};
  List<String> names = {};

  static const kube::table::MessageWith<16> kMessage;
};
struct TestForms {
  TestOrBool or_bool = {};
  Box<TestOrArray> or_array = {};
  Map<TestOrStrings> or_strings = {};

  static const kube::table::MessageWith<16> kMessage;
};

// A Secret: the type's name in the table makes it one.
struct TestSecret {
  Map<String> annotations = {};
  Map<String> data = {};  // bytes
  Map<String> string_data = {};
  Box<TestSecret> copy = {};

  static const kube::table::MessageWith<16> kMessage;
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_TESTING_SAMPLE_STRUCTS_H_
