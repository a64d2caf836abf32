#ifndef APIMACHINERY_META_TABLE_H_
#define APIMACHINERY_META_TABLE_H_

#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/meta/list.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/raw.h"

// Tables: what a server makes of objects for kubectl get. (pkg/api/meta/table) Thread-safe where
// nobody changes the objects meanwhile.
namespace kube::meta {

// A cell of a text. Those of numbers and bools are their JSON: RawJson("3").
RawJson TextCell(absl::string_view text);

// The index of the column of this name, which kubectl shows in upper case; -1: there is none.
int FindColumn(const api::meta::v1::Table& table, absl::string_view name);

// A row: the cells, and the object itself. INVALID_ARGUMENT where the object has no JSON.
template <Object T>
absl::StatusOr<api::meta::v1::TableRow> TableRowOf(const T& object, List<RawJson> cells) {
  KUBE_ASSIGN_OR_RETURN(std::string json, codec::EncodeJson(object));
  api::meta::v1::TableRow row;
  row.cells = std::move(cells);
  row.object = json;
  return row;
}

// A row for each item of a list, whose cells `cells` makes, or the first error. Upstream also hands
// it the name, which the object has, and the age: duration::Age of its creation_timestamp.
// (table.MetaToTableRow)
template <ListObject L>
absl::StatusOr<List<api::meta::v1::TableRow>> TableRowsOf(
    const L& list, absl::FunctionRef<absl::StatusOr<List<RawJson>>(const ItemOf<L>&)> cells) {
  List<api::meta::v1::TableRow> rows = List<api::meta::v1::TableRow>::Empty();
  for (const ItemOf<L>& item : list.items) {
    KUBE_ASSIGN_OR_RETURN(List<RawJson> row_cells, cells(item));
    KUBE_ASSIGN_OR_RETURN(api::meta::v1::TableRow row, TableRowOf(item, std::move(row_cells)));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace kube::meta

#endif  // APIMACHINERY_META_TABLE_H_
