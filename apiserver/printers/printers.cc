#include "apiserver/printers/printers.h"

#include <tuple>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/flowcontrol/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/message_type.h"
#include "apiserver/printers/internal/printer.h"

namespace kube::printers {
namespace {

namespace flowcontrolv1 = api::flowcontrol::v1;
namespace metav1 = api::meta::v1;

using printers::internal::Printer;
using Printers = std::unordered_map<const kube::table::Message*, Printer>;

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
  const auto it = printers->find(kind.message);
  return it == printers->end() ? printers::internal::kPlainPrinter : it->second;
}

class Kubectl final : public TablePrinter {
 public:
  List<metav1::TableColumnDefinition> Columns(const KindInfo& kind) const override {
    return printers::internal::ColumnsOf(PrinterFor(kind));
  }

  absl::StatusOr<metav1::TableRow> Row(const codec::AnyObject& object,
                                       absl::Time now) const override {
    return printers::internal::RowOf(PrinterFor(object.kind()), object, now);
  }

  bool Before(const codec::AnyObject& a, const codec::AnyObject& b) const override {
    const auto* first = a.As<flowcontrolv1::FlowSchema>();
    const auto* second = b.As<flowcontrolv1::FlowSchema>();
    if (first == nullptr || second == nullptr) return false;
    return std::tie(first->spec.matching_precedence, first->metadata.name) <
           std::tie(second->spec.matching_precedence, second->metadata.name);
  }
};

}  // namespace

const TablePrinter& KubectlTables() {
  static base::NoDestructor<const Kubectl> kubectl;
  return *kubectl;
}

}  // namespace kube::printers
