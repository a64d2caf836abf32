#include "apiserver/printers/printers.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "api/flowcontrol/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/message_type.h"
#include "apiserver/printers/internal/printer.h"
#include "apiserver/printers/internal/row.h"

namespace kube::printers {
namespace {

namespace flowcontrolv1 = api::flowcontrol::v1;
namespace metav1 = api::meta::v1;

using printers::internal::Printer;
using Printers = std::unordered_map<const kube::table::Message*, Printer>;

// What a registry has that brings no convertor: the second column is a date, which clients may show
// as they like. (apiserver's registry/rest/table.go)
constexpr printers::internal::Column kDefaultColumns[] = {
    printers::internal::kName,
    {"Created At", "date", "When the object was created."},
};

void PrintDefault(const codec::AnyObject& object, printers::internal::Row& row) {
  const metav1::ObjectMeta* metadata = meta::MetadataOf(object);
  if (metadata == nullptr) {
    row.Text("");
    row.Text("");
    return;
  }
  row.Text(metadata->name);
  row.Text(metadata->creation_timestamp.ToString());
}

Printers MakePrinters() {
  Printers printers;
  for (const std::vector<Printer>& group :
       {printers::internal::AccessPrinters(), printers::internal::AdmissionPrinters(),
        printers::internal::AutoscalingPrinters(), printers::internal::ClusterPrinters(),
        printers::internal::CorePrinters(), printers::internal::EventPrinters(),
        printers::internal::NetworkPrinters(), printers::internal::PodPrinters(),
        printers::internal::StoragePrinters(), printers::internal::WorkloadPrinters()}) {
    for (const Printer& printer : group) printers.emplace(printer.message, printer);
  }
  return printers;
}

const Printer& PrinterFor(const KindInfo& kind) {
  static base::NoDestructor<const Printers> printers(MakePrinters());
  static constexpr Printer kDefault = {nullptr, kDefaultColumns, PrintDefault};
  const auto it = printers->find(kind.message);
  return it == printers->end() ? kDefault : it->second;
}

}  // namespace

List<metav1::TableColumnDefinition> ColumnsOf(const KindInfo& kind) {
  List<metav1::TableColumnDefinition> columns;
  for (const printers::internal::Column& column : PrinterFor(kind).columns) {
    columns.push_back({.name = column.name,
                       .type = column.type,
                       .format = column.format,
                       .description = column.description,
                       .priority = column.priority});
  }
  return columns;
}

absl::StatusOr<metav1::TableRow> RowOf(const codec::AnyObject& object, absl::Time now) {
  printers::internal::Row row(now);
  PrinterFor(object.kind()).print(object, row);
  return row.Take();
}

bool RowBefore(const codec::AnyObject& a, const codec::AnyObject& b) {
  const auto* first = a.As<flowcontrolv1::FlowSchema>();
  const auto* second = b.As<flowcontrolv1::FlowSchema>();
  if (first == nullptr || second == nullptr) return false;
  return std::tie(first->spec.matching_precedence, first->metadata.name) <
         std::tie(second->spec.matching_precedence, second->metadata.name);
}

}  // namespace kube::printers
