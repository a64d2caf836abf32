#ifndef APISERVER_CUSTOM_TABLE_H_
#define APISERVER_CUSTOM_TABLE_H_

#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apiserver/custom_kind.h"
#include "apiserver/object.h"

// The tables that `kubectl get` shows for custom resources, as the printers do for built-in kinds
// (kube-apiserver: `tableconvertor`). Pure and thread-safe.
namespace kube::apiserver {

// Returns the column of the name, and the additionalPrinterColumns of the version, or else the age.
List<api::meta::v1::TableColumnDefinition> CustomColumns(const CustomKind& custom);

// Returns a row with a cell for each of these columns; ages are those at `now`. The row's `object`
// stays null.
api::meta::v1::TableRow CustomRow(const CustomKind& custom, const Object& object, absl::Time now);

}  // namespace kube::apiserver

#endif  // APISERVER_CUSTOM_TABLE_H_
