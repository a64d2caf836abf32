#ifndef APISERVER_PRINTERS_TABLE_PRINTER_H_
#define APISERVER_PRINTERS_TABLE_PRINTER_H_

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"

namespace kube::printers {

// Makes the tables that `kubectl get` shows: the columns of a kind, and the row of an object.
//
//   metav1::Table table;
//   table.column_definitions = printer.Columns(kind);
//   KUBE_ASSIGN_OR_RETURN(metav1::TableRow row, printer.Row(pod, runtime.Now()));
//   table.rows.push_back(std::move(row));   // row.object is the caller's: see includeObject
//
// There are two: PlainTables() below, and KubectlTables() of printers.h. The embedded API server
// takes either (HandlerOptions::tables). A class of its own, so that a program that shows no tables
// does not link the printers of all kinds. (rest.TableConvertor)
//
// Both are thread-safe, as long as nobody changes the objects meanwhile.
class TablePrinter {
 public:
  virtual ~TablePrinter() = default;

  // The columns of a kind; never empty. Columns of priority 1 are for `-o wide`; kubectl leaves
  // them out, not the server.
  virtual List<api::meta::v1::TableColumnDefinition> Columns(const KindInfo& kind) const = 0;

  // The cells of one object, as many as its kind has columns, and its conditions. Ages are counted
  // up to `now`. The cells of an object without metadata are empty.
  //
  // INVALID_ARGUMENT: this object can not be shown; a server answers the whole request with 500.
  virtual absl::StatusOr<api::meta::v1::TableRow> Row(const codec::AnyObject& object,
                                                      absl::Time now) const = 0;

  // Whether `a` stands before `b`, an object of the same kind, in the table of a list. Where
  // neither comes first, the list keeps its order: sort by a stable algorithm.
  virtual bool Before(const codec::AnyObject& a, const codec::AnyObject& b) const = 0;
};

// "Name" and "Created At" for every kind: what kube-apiserver shows of kinds that have no printer.
// (rest.NewDefaultTableConvertor)
const TablePrinter& PlainTables();

}  // namespace kube::printers

#endif  // APISERVER_PRINTERS_TABLE_PRINTER_H_
