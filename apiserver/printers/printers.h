#ifndef APISERVER_PRINTERS_PRINTERS_H_
#define APISERVER_PRINTERS_PRINTERS_H_

#include "apiserver/printers/table_printer.h"

namespace kube::printers {

// The tables of kube-apiserver 1.36 for all kinds that it serves by default: names, types, formats
// and priorities of columns, and the texts of cells. The descriptions of columns are our own.
// (k8s.io/kubernetes/pkg/printers/internalversion, and the server's own convertors)
//
// Kinds that have no printer upstream, as roles and CustomResourceDefinitions, and kinds that it
// does not serve, are shown as by PlainTables(). The columns of IPAddresses are one less than the
// cells of their rows, as upstream. FlowSchemas stand in the order in which they are tried.
//
// A row is an INVALID_ARGUMENT for one object only: a ControllerRevision whose controller has an
// apiVersion that can not be one.
const TablePrinter& KubectlTables();

}  // namespace kube::printers

#endif  // APISERVER_PRINTERS_PRINTERS_H_
