#ifndef APIMACHINERY_TABLE_PRINT_H_
#define APIMACHINERY_TABLE_PRINT_H_

// Prints values as one line of text for people: for logs, test messages and debuggers. It is not
// JSON and must not be parsed. Examples: `{metadata: {name: "web-0", labels: {app: "web"}}}`,
// `{spec: {replicas: 3}}`, `{data: {token: <12 bytes>}}`.
//
// Fields that are zero are left out. To keep secrets out of logs, only the size is printed of
// bytes, raw JSON, fields such as stringData, token and password, and kubectl's annotation with the
// last applied object. The output ends with "…" after kMaxPrintedBytes. Thread-compatible.

#include <cstddef>
#include <iosfwd>

#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"

namespace kube::table {

inline constexpr size_t kMaxPrintedBytes = 16 << 10;

std::ostream& PrintMessage(std::ostream& out, const void* value, const Message& message);
std::ostream& PrintValue(std::ostream& out, const void* value, Type type);
// Prints the value, or `absent` if `value` is null.
std::ostream& PrintPointer(std::ostream& out, const void* value, Type type);
// Print `null`, [a, b] or {key: value}.
std::ostream& PrintList(std::ostream& out, const ListBlock* block, Type type);
std::ostream& PrintMap(std::ostream& out, const ListBlock* block, Type type);
// Prints `key: value`.
std::ostream& PrintEntry(std::ostream& out, const void* entry, Type type);

}  // namespace kube::table

#endif  // APIMACHINERY_TABLE_PRINT_H_
