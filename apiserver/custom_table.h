#ifndef APISERVER_CUSTOM_TABLE_H_
#define APISERVER_CUSTOM_TABLE_H_

#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apiserver/custom_kind.h"
#include "apiserver/object.h"

// What `kubectl get` shows of custom resources: what printers are for others. (tableconvertor)
// Pure: thread-safe.
namespace kube::apiserver {

// The name, and the additionalPrinterColumns of the version, or else the age.
List<api::meta::v1::TableColumnDefinition> CustomColumns(const CustomKind& custom);

// As many cells, of an object of that kind; ages are those at `now`. `object` of the row stays
// null.
api::meta::v1::TableRow CustomRow(const CustomKind& custom, const Object& object, absl::Time now);

}  // namespace kube::apiserver

#endif  // APISERVER_CUSTOM_TABLE_H_
