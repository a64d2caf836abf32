#ifndef ENVTEST_SERVER_CUSTOM_TABLE_H_
#define ENVTEST_SERVER_CUSTOM_TABLE_H_

#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "envtest/server/custom_kind.h"
#include "envtest/server/object.h"

// What `kubectl get` shows of custom resources: what printers are for others. (tableconvertor)
// Pure: thread-safe.
namespace kube::envtest {

// The name, and the additionalPrinterColumns of the version, or else the age.
List<api::meta::v1::TableColumnDefinition> CustomColumns(const CustomKind& custom);

// As many cells, of an object of that kind; ages are those at `now`. `object` of the row stays
// null.
api::meta::v1::TableRow CustomRow(const CustomKind& custom, const Object& object, absl::Time now);

}  // namespace kube::envtest

#endif  // ENVTEST_SERVER_CUSTOM_TABLE_H_
