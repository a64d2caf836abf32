#ifndef CLIENTSET_PODCOPY_INTERNAL_TAR_READER_H_
#define CLIENTSET_PODCOPY_INTERNAL_TAR_READER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "clientset/podcopy/internal/tar_entry.h"

namespace kube::podcopy::internal {

// Reads a tar archive, without a file: bytes come in through Receive, cut anywhere. Understands
// ustar, the older format without a name, and the extensions of POSIX (pax) and GNU for long names
// and large numbers. Sparse files are refused. (Go: `tar.Reader`)
//
// An archive is data from outside: nothing that it contains makes the reader use more memory than
// kMaxExtensionBytes. Names are passed on as they are: they may be absolute, and contain "..".
//
// Thread-compatible.
class TarReader {
 public:
  // What the archive contains. Called from within Receive. An error ends the reader, and Receive
  // returns it.
  class Events {
   public:
    virtual ~Events() = default;

    // An entry begins; entry.size bytes follow with OnData, and then OnEntryEnd.
    virtual absl::Status OnEntry(const TarEntry& entry) = 0;
    virtual absl::Status OnData(absl::string_view data) = 0;
    virtual absl::Status OnEntryEnd() = 0;
  };

  // The largest block of extended headers, which consists mostly of a name.
  static constexpr size_t kMaxExtensionBytes = size_t{1} << 20;

  // `events` must outlive the reader.
  explicit TarReader(Events& events) : events_(events) {}
  TarReader(const TarReader&) = delete;
  TarReader& operator=(const TarReader&) = delete;

  // Reads bytes. Returns DATA_LOSS if they are not an archive, UNIMPLEMENTED for sparse files,
  // RESOURCE_EXHAUSTED if an extended header is too large, and the errors of Events. An error is
  // final. What follows the end of the archive is ignored.
  absl::Status Receive(absl::string_view bytes);

  // Says that no more bytes come. Returns DATA_LOSS if the archive is incomplete.
  absl::Status EndOfInput();

  // Returns whether the end of the archive was read.
  bool done() const { return done_; }
  // Returns whether the archive may end here: done(), or after the first of its two last blocks,
  // which some programs leave at one.
  bool may_end() const {
    return failure_.ok() && (done_ || (zero_blocks_ == 1 && header_.empty()));
  }

 private:
  // What the bytes of an entry are.
  enum class Content { kData, kPax, kIgnored, kLongName, kLongLink };

  // What extended headers say about the next entry.
  struct Extensions {
    std::optional<std::string> name;
    std::optional<std::string> link_target;
    std::optional<uint64_t> size;
    std::optional<int64_t> mtime;
  };

  // These read the beginning of `bytes` and remove it.
  absl::Status ReadHeader(absl::string_view& bytes);
  absl::Status ReadContent(absl::string_view& bytes);

  absl::Status OnHeader();
  absl::Status BeginExtension(Content content, uint64_t size);
  absl::Status BeginEntry(char type_flag, uint64_t size);
  absl::Status EndContent();
  absl::Status ParsePax(absl::string_view records);
  absl::Status ParsePaxRecord(absl::string_view key, absl::string_view value);
  void SetSize(uint64_t size);

  Events& events_;
  std::string header_;     // of the next block, as far as it has arrived
  std::string extension_;  // likewise of extended headers
  Extensions extensions_;
  Content content_ = Content::kData;
  uint64_t missing_ = 0;  // bytes of the content
  size_t padding_ = 0;    // bytes after it
  int zero_blocks_ = 0;
  bool done_ = false;
  absl::Status failure_;
};

}  // namespace kube::podcopy::internal

#endif  // CLIENTSET_PODCOPY_INTERNAL_TAR_READER_H_
