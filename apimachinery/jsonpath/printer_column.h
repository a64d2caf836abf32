#ifndef APIMACHINERY_JSONPATH_PRINTER_COLUMN_H_
#define APIMACHINERY_JSONPATH_PRINTER_COLUMN_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/jsonpath/json_path.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/unstructured/value.h"

namespace kube::jsonpath {

// A column of additionalPrinterColumns, and what the API server would put into its cells: what
// `kubectl get` shows of a custom resource. (apiextensions-apiserver's tableconvertor)
//
//   KUBE_ASSIGN_OR_RETURN(PrinterColumn age,
//                         PrinterColumn::Make("date", ".metadata.creationTimestamp"));
//   Value cell = age.Cell(object, now);    // "5m12s"
//
// An immutable value; thread-safe.
class PrinterColumn {
 public:
  // `type` as in the definition: string, integer, number, boolean, date; of any other, cells are
  // null. Errors are those of JsonPath::Parse.
  static absl::StatusOr<PrinterColumn> Make(absl::string_view type, absl::string_view json_path);

  // Of the first value that the path leads to. Null where there is none, where the path cannot be
  // followed, or where the value is not of the type. A string column takes any value, and prints
  // it; dates are printed by their age at `now`, and read "<invalid>" where they are none.
  unstructured::Value Cell(const unstructured::Value& object, absl::Time now) const;
  template <ApiStruct T>
  unstructured::Value Cell(const T& object, absl::Time now) const {
    const absl::StatusOr<std::vector<unstructured::Value>> found = path_.Find(object);
    return found.ok() && !found->empty() ? CellOf(found->front(), now) : unstructured::Value();
  }

  const JsonPath& path() const { return path_; }

 private:
  PrinterColumn(absl::string_view type, JsonPath path) : type_(type), path_(std::move(path)) {}

  unstructured::Value CellOf(const unstructured::Value& value, absl::Time now) const;

  std::string type_;
  JsonPath path_;
};

}  // namespace kube::jsonpath

#endif  // APIMACHINERY_JSONPATH_PRINTER_COLUMN_H_
