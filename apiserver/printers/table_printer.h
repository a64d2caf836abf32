#ifndef APISERVER_PRINTERS_TABLE_PRINTER_H_
#define APISERVER_PRINTERS_TABLE_PRINTER_H_

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"

namespace kube::printers {

// Makes the tables that `kubectl get` shows: the columns of a kind, and the row of an object
// (kube-apiserver: `rest.TableConvertor`).
//
//   metav1::Table table;
//   table.column_definitions = printer.Columns(pod.kind());
//   KUBE_ASSIGN_OR_RETURN(metav1::TableRow row, printer.Row(pod, now));
//   table.rows.push_back(std::move(row));  // row.object is the caller's: see includeObject
//
// There are two implementations: PlainTables() below, and KubectlTables() in printers.h. The
// embedded API server takes either (HandlerOptions::tables). They are separate so that a program
// without tables does not link the printers of all kinds.
//
// Both are thread-safe, as long as the objects are not changed meanwhile.
class TablePrinter {
 public:
  virtual ~TablePrinter() = default;

  // Returns the columns of a kind, at least one. Columns of priority 1 are for `-o wide`; it is
  // kubectl that leaves them out, not the server.
  virtual List<api::meta::v1::TableColumnDefinition> Columns(const KindInfo& kind) const = 0;

  // Returns the cells of an object, one for each column of its kind, and its conditions. Ages are
  // relative to `now`. An object without metadata has empty cells.
  //
  // Returns INVALID_ARGUMENT if the object cannot be shown; a server then answers the whole request
  // with 500.
  virtual absl::StatusOr<api::meta::v1::TableRow> Row(const codec::AnyObject& object,
                                                      absl::Time now) const = 0;

  // Returns whether `a` comes before `b`, an object of the same kind, in the table of a list.
  // Otherwise the list keeps its order, so use a stable sort.
  virtual bool Before(const codec::AnyObject& a, const codec::AnyObject& b) const = 0;
};

// Returns a printer with the columns "Name" and "Created At" for every kind, as kube-apiserver
// shows kinds that have no printer (kube-apiserver: `rest.NewDefaultTableConvertor`).
const TablePrinter& PlainTables();

}  // namespace kube::printers

#endif  // APISERVER_PRINTERS_TABLE_PRINTER_H_
