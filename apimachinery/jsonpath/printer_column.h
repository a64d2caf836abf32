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

// A column of `additionalPrinterColumns`: computes the cells that the API server returns and
// `kubectl get` shows for a custom resource. (Go: apiextensions-apiserver's `tableconvertor`)
//
//   KUBE_ASSIGN_OR_RETURN(PrinterColumn age,
//                         PrinterColumn::Make("date", ".metadata.creationTimestamp"));
//   return age.Cell(object, now);  // "5m12s"
//
// Immutable and thread-safe.
class PrinterColumn {
 public:
  // Makes a column. `type` is the one of the definition: string, integer, number, boolean or date;
  // a column of any other type has null cells. Returns the errors of JsonPath::Parse.
  static absl::StatusOr<PrinterColumn> Make(absl::string_view type, absl::string_view json_path);

  // Returns the cell for an object: the first value that the path leads to. Returns null if the
  // path leads to no value or cannot be evaluated, and if the value is not of the column's type. A
  // string column prints a value of any type. A date column prints the age at `now`, or "<invalid>"
  // if the value is not a time.
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
