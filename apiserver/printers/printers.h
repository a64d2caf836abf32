#ifndef APISERVER_PRINTERS_PRINTERS_H_
#define APISERVER_PRINTERS_PRINTERS_H_

#include "apiserver/printers/table_printer.h"

namespace kube::printers {

// Returns a printer with the tables of kube-apiserver 1.36 for all kinds that it serves by default:
// the names, types, formats and priorities of columns, and the texts of cells. Only the
// descriptions of columns are our own (kube-apiserver: `pkg/printers/internalversion`, and the
// registries' convertors).
//
// Kinds without a printer upstream, such as roles and CustomResourceDefinitions, and kinds that it
// does not serve, are shown as by PlainTables(). As upstream, rows of IPAddresses have one cell
// more than there are columns. FlowSchemas are sorted in the order in which they are matched.
//
// Row returns INVALID_ARGUMENT only for a ControllerRevision whose controller has an invalid
// apiVersion.
const TablePrinter& KubectlTables();

}  // namespace kube::printers

#endif  // APISERVER_PRINTERS_PRINTERS_H_
