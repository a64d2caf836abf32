#include "apiserver/printers/table_printer.h"

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apiserver/printers/internal/printer.h"

namespace kube::printers {
namespace {

namespace metav1 = api::meta::v1;

class Plain final : public TablePrinter {
 public:
  List<metav1::TableColumnDefinition> Columns(const KindInfo&) const override {
    return internal::ColumnsOf(internal::kPlainPrinter);
  }
  absl::StatusOr<metav1::TableRow> Row(const codec::AnyObject& object,
                                       absl::Time now) const override {
    return internal::RowOf(internal::kPlainPrinter, object, now);
  }
  bool Before(const codec::AnyObject&, const codec::AnyObject&) const override { return false; }
};

}  // namespace

const TablePrinter& PlainTables() {
  static base::NoDestructor<const Plain> plain;
  return *plain;
}

}  // namespace kube::printers
