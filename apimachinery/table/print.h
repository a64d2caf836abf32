#ifndef APIMACHINERY_TABLE_PRINT_H_
#define APIMACHINERY_TABLE_PRINT_H_

// One line of text for people: logs, messages of tests, debuggers. Not JSON, and not to be parsed.
//
//   {metadata: {name: "web-0", labels: {app: "web"}}, spec: {replicas: 3}, data: {token: <12
//   bytes>}}
//
// Only what is not zero is shown. Bytes and raw JSON are shown by their size, because secrets are
// made of them, and so are texts of fields such as stringData, token and password, and kubectl's
// annotation with the whole object. What is longer than kMaxPrintedBytes ends with "…".

#include <cstddef>
#include <iosfwd>

#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"

namespace kube::table {

inline constexpr size_t kMaxPrintedBytes = 16 << 10;

std::ostream& PrintMessage(std::ostream& out, const void* value, const Message& message);
std::ostream& PrintValue(std::ostream& out, const void* value, Type type);
// `absent` where `value` is null.
std::ostream& PrintPointer(std::ostream& out, const void* value, Type type);
// `null`, [a, b] and {key: value}.
std::ostream& PrintList(std::ostream& out, const ListBlock* block, Type type);
std::ostream& PrintMap(std::ostream& out, const ListBlock* block, Type type);
// key: value
std::ostream& PrintEntry(std::ostream& out, const void* entry, Type type);

}  // namespace kube::table

#endif  // APIMACHINERY_TABLE_PRINT_H_
