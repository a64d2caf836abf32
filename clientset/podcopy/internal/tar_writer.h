#ifndef CLIENTSET_PODCOPY_INTERNAL_TAR_WRITER_H_
#define CLIENTSET_PODCOPY_INTERNAL_TAR_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "clientset/podcopy/internal/tar_entry.h"

namespace kube::podcopy::internal {

// Writes a tar archive, without a file: what is to be written is appended to strings. Writes ustar,
// and GNU's extensions for long names and large numbers, which every tar of a container understands
// (GNU, BusyBox, toybox, libarchive); BusyBox ignores those of POSIX (pax), and would cut names.
// (Go: `tar.Writer`, which prefers pax)
//
//   TarWriter writer;
//   KUBE_RETURN_IF_ERROR(writer.AddEntry({.name = "a.txt", .size = text.size()}, out));
//   KUBE_RETURN_IF_ERROR(writer.AddData(text, out));
//   KUBE_RETURN_IF_ERROR(writer.Finish(out));
//
// Thread-compatible.
class TarWriter {
 public:
  // Adds the header of an entry. The content of a file follows with AddData. Returns
  // INVALID_ARGUMENT if the entry cannot be written: its name or link target is empty or contains a
  // zero byte, its type is kOther, or it has a size although it is not a file. Returns
  // FAILED_PRECONDITION if the content of the previous entry is incomplete, and after Finish.
  absl::Status AddEntry(const TarEntry& entry, std::string& out);

  // Adds the next bytes of the file. Returns FAILED_PRECONDITION if they are more than the entry's
  // size says.
  absl::Status AddData(absl::string_view data, std::string& out);

  // Adds the end of the archive. Returns FAILED_PRECONDITION if the content of the last entry is
  // incomplete.
  absl::Status Finish(std::string& out);

  // The number of bytes that the content of the entry still lacks.
  uint64_t missing_bytes() const { return missing_; }

 private:
  uint64_t missing_ = 0;
  size_t padding_ = 0;
  bool finished_ = false;
};

}  // namespace kube::podcopy::internal

#endif  // CLIENTSET_PODCOPY_INTERNAL_TAR_WRITER_H_
