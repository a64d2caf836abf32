#ifndef APISERVER_PRINTERS_PRINTERS_H_
#define APISERVER_PRINTERS_PRINTERS_H_

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"

// What `kubectl get` shows: the columns of a kind's Table, and the row of an object.
// (k8s.io/kubernetes/pkg/printers/internalversion, and the server's own convertors)
//
//   metav1::Table table;
//   table.column_definitions = printers::ColumnsOf(kind);
//   KUBE_ASSIGN_OR_RETURN(metav1::TableRow row, printers::RowOf(pod, runtime.Now()));
//   table.rows.push_back(std::move(row));   // row.object is the caller's: see includeObject
//
// There are always all columns. Those of priority 1 are for `-o wide`: kubectl leaves them out, not
// the server.
//
// Names, types, formats, priorities and the texts of cells are those of kube-apiserver 1.36 for all
// that it serves by default; the descriptions are our own. Where upstream has no printer of its
// own, as of roles and of CustomResourceDefinitions, and for every kind that it does not serve,
// there are "Name" and "Created At".
//
// Pure functions: thread-safe where nobody changes the objects.
namespace kube::printers {

// Never empty, and as many as RowOf has cells; of IPAddresses one less, as upstream.
List<api::meta::v1::TableColumnDefinition> ColumnsOf(const KindInfo& kind);

// Cells and conditions; `object` stays null. Ages are up to `now`. A kind without metadata has
// empty cells.
//
// INVALID_ARGUMENT: a ControllerRevision whose controller has no apiVersion that could be one; the
// request fails as a whole then, upstream with 500.
absl::StatusOr<api::meta::v1::TableRow> RowOf(const codec::AnyObject& object, absl::Time now);

// Whether the table of a list has `a` before `b`, which are of the same kind. FlowSchemas stand in
// the order in which they are tried; of all others neither comes first, so that a stable sort
// leaves the list's order.
bool RowBefore(const codec::AnyObject& a, const codec::AnyObject& b);

}  // namespace kube::printers

#endif  // APISERVER_PRINTERS_PRINTERS_H_
