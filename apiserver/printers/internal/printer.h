#ifndef APISERVER_PRINTERS_INTERNAL_PRINTER_H_
#define APISERVER_PRINTERS_INTERNAL_PRINTER_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/message_type.h"
#include "apiserver/printers/internal/row.h"

namespace kube::printers::internal {

struct Column {
  absl::string_view name;
  absl::string_view type;
  absl::string_view description;
  int priority = 0;  // 1: only with -o wide
  absl::string_view format = {};
};

// Columns that many kinds have.
inline constexpr Column kName = {
    "Name", "string", "The name of the object, unique for its kind within a namespace.", 0, "name"};
inline constexpr Column kAge = {"Age", "string", "The time since the object was created."};
inline constexpr Column kContainers = {"Containers", "string",
                                       "The names of the containers in the template.", 1};
inline constexpr Column kImages = {"Images", "string", "The images of the containers.", 1};
inline constexpr Column kSelector = {"Selector", "string",
                                     "The label selector of the pods that the object selects.", 1};

// How objects of a type are shown.
struct Printer {
  const kube::table::Message* message = nullptr;
  absl::Span<const Column> columns = {};
  void (*print)(const codec::AnyObject& object, Row& row) = nullptr;
};

template <ApiStruct T>
using PrintFunction = void (*)(const T&, Row&);

template <auto kPrint>
struct PrintedBy;
template <ApiStruct T, PrintFunction<T> kPrint>
struct PrintedBy<kPrint> {
  static Printer With(absl::Span<const Column> columns) {
    return {&T::kMessage, columns,
            [](const codec::AnyObject& object, Row& row) { kPrint(*object.As<T>(), row); }};
  }
};

// Returns the printer for the parameter type of `kPrint`, a PrintFunction. Keeps a view of
// `columns`.
template <auto kPrint>
Printer PrinterOf(absl::Span<const Column> columns) {
  return PrintedBy<kPrint>::With(columns);
}

// The default printer: "Name" and "Created At".
extern const Printer kPlainPrinter;

List<api::meta::v1::TableColumnDefinition> ColumnsOf(const Printer& printer);
// Returns the error that the printer passed to Row::Fail, if any.
absl::StatusOr<api::meta::v1::TableRow> RowOf(const Printer& printer,
                                              const codec::AnyObject& object, absl::Time now);

// All printers, by the source file that has them.
std::vector<Printer> AccessPrinters();
std::vector<Printer> AdmissionPrinters();
std::vector<Printer> AutoscalingPrinters();
std::vector<Printer> ClusterPrinters();
std::vector<Printer> CorePrinters();
std::vector<Printer> EventPrinters();
std::vector<Printer> NetworkPrinters();
std::vector<Printer> PodPrinters();
std::vector<Printer> StoragePrinters();
std::vector<Printer> WorkloadPrinters();

}  // namespace kube::printers::internal

#endif  // APISERVER_PRINTERS_INTERNAL_PRINTER_H_
