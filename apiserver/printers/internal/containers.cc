#include "apiserver/printers/internal/containers.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apiserver/printers/internal/row.h"

namespace kube::printers::internal {

using api::core::v1::Container;

void PrintContainers(const List<Container>& containers, Row& row) {
  row.Text(absl::StrJoin(containers, ",", [](std::string* out, const Container& container) {
    absl::StrAppend(out, container.name.view());
  }));
  row.Text(absl::StrJoin(containers, ",", [](std::string* out, const Container& container) {
    absl::StrAppend(out, container.image.view());
  }));
}

}  // namespace kube::printers::internal
