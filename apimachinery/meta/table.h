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

// Tables, which a server makes of objects for kubectl get. apimachinery: package `api/meta/table`.
// Thread-safe as long as no other thread changes the objects.
namespace kube::meta {

// Returns a cell with a text. A cell with a number or bool is its JSON: RawJson("3").
RawJson TextCell(absl::string_view text);

// Returns the index of the column with this name, or -1. kubectl shows the name in upper case.
int FindColumn(const api::meta::v1::Table& table, absl::string_view name);

// Returns a row of cells with the object. Returns INVALID_ARGUMENT if the object cannot be encoded
// as JSON.
template <Object T>
absl::StatusOr<api::meta::v1::TableRow> TableRowOf(const T& object, List<RawJson> cells) {
  KUBE_ASSIGN_OR_RETURN(std::string json, codec::EncodeJson(object));
  api::meta::v1::TableRow row;
  row.cells = std::move(cells);
  row.object = json;
  return row;
}

// Returns a row for each item of a list, with the cells that `cells` returns, or the first error.
// In Go the function also receives the name and the age; here use the item's name and duration::Age
// of its creation_timestamp. apimachinery: `table.MetaToTableRow`.
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
