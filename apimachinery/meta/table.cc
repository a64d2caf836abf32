#include "apimachinery/meta/table.h"

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/types/raw.h"

namespace kube::meta {

RawJson TextCell(absl::string_view text) {
  std::string json;
  text::AppendStandardJsonString(json, text);
  return json;
}

int FindColumn(const api::meta::v1::Table& table, absl::string_view name) {
  for (size_t i = 0; i < table.column_definitions.size(); ++i) {
    if (table.column_definitions[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace kube::meta
