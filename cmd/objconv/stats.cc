#include "cmd/objconv/stats.h"

#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/deep_size.h"
#include "apimachinery/types/kind_info.h"

namespace kube::objconv {

void Stats::Add(const codec::AnyObject& object, size_t bytes) {
  const KindInfo& kind = object.kind();
  const codec::ObjectSize size = object.DeepSize();
  Row& row =
      rows_[absl::StrCat(kind.group, kind.group.empty() ? "" : "/", kind.version, " ", kind.kind)];
  ++row.objects;
  row.input_bytes += bytes;
  row.heap_bytes += size.total();
  // One more for the object itself.
  row.pieces += size.owned_pieces + 1;
}

std::string Stats::Table() const {
  const auto line = [](const std::string& name, const Row& row) {
    const size_t objects = row.objects == 0 ? 1 : row.objects;
    return absl::StrFormat("%-60s %9d %12d %12d %12d %12d\n", name, row.objects, row.input_bytes,
                           row.heap_bytes, row.heap_bytes / objects, row.pieces / objects);
  };
  std::string table = absl::StrFormat("%-60s %9s %12s %12s %12s %12s\n", "KIND", "OBJECTS",
                                      "INPUT BYTES", "HEAP BYTES", "HEAP/OBJECT", "PIECES/OBJECT");
  Row all;
  for (const auto& [name, row] : rows_) {
    table += line(name, row);
    all.objects += row.objects;
    all.input_bytes += row.input_bytes;
    all.heap_bytes += row.heap_bytes;
    all.pieces += row.pieces;
  }
  return table + line("all", all);
}

}  // namespace kube::objconv
