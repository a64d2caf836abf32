// Read by lifetime_test.sh. clang must warn in each line that ends with "dangles", and in no other.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/types/box.h"
#include "apimachinery/types/bytes.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"

namespace kube {

struct Sample {
  String name{};
  Opt<int32_t> count{};
  Box<Sample> child{};
  List<String> tags{};
  Map<String> labels{};
  Bytes data{};
  static const table::Message kMessage;
};
Sample Make();

void Strings() {
  [[maybe_unused]] std::string_view a = Make().name;          // dangles
  [[maybe_unused]] absl::string_view b = Make().name;         // dangles
  [[maybe_unused]] absl::string_view c = Make().name.view();  // dangles
  [[maybe_unused]] const char* d = Make().name.data();        // dangles
  [[maybe_unused]] absl::string_view e = Make().data.view();  // dangles
  [[maybe_unused]] std::string_view f = Make().data;          // dangles
  [[maybe_unused]] std::string g = Make().name;
  [[maybe_unused]] String h = Make().name.view();
  [[maybe_unused]] std::string i = Make().data;
}

void Containers() {
  [[maybe_unused]] const String& a = Make().tags[0];            // dangles
  [[maybe_unused]] const String& b = Make().tags.front();       // dangles
  [[maybe_unused]] const String* c = Make().tags.begin();       // dangles
  [[maybe_unused]] const String* d = Make().labels.find("x");   // dangles
  [[maybe_unused]] const String& e = Make().labels["x"];        // dangles
  [[maybe_unused]] const auto* f = Make().labels.begin();       // dangles
  [[maybe_unused]] const String& g = List<String>{"a"}.back();  // dangles
  [[maybe_unused]] const String h = Make().tags[0];
  [[maybe_unused]] const std::vector<std::string> i = Make().tags;
  [[maybe_unused]] const bool j = Make().labels.contains("x");
}

void Optionals() {
  [[maybe_unused]] const Sample& a = *Make().child;       // dangles
  [[maybe_unused]] const Sample* b = Make().child.get();  // dangles
  [[maybe_unused]] const int32_t& d = *Make().count;      // dangles
  [[maybe_unused]] const String& e = *Opt<String>("x");   // dangles
  [[maybe_unused]] const Sample f = *Make().child;
  [[maybe_unused]] const int32_t g = *Make().count;
  [[maybe_unused]] const std::string h = Opt<String>("x").value_or("y");
}

}  // namespace kube
