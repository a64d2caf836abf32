// Archives of a hostile container: nothing crashes, what is understood does not depend on how the
// bytes are cut, entries have as much content as they announce, and names are not empty.
//
// The first byte says how the bytes are cut.

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "clientset/podcopy/internal/tar_entry.h"
#include "clientset/podcopy/internal/tar_reader.h"

namespace kube::podcopy::internal {
namespace {

// Writes down what happens, and checks it.
class Log final : public TarReader::Events {
 public:
  absl::Status OnEntry(const TarEntry& entry) override {
    KUBE_CHECK(missing_ == 0) << "an entry within another one";
    KUBE_CHECK(!entry.name.empty()) << "no name";
    KUBE_CHECK(entry.name.find('\0') == std::string::npos) << "a zero byte in a name";
    KUBE_CHECK(entry.mode <= 07777) << "other bits than permissions";
    absl::StrAppend(&text_, "entry ", entry.name, " ", static_cast<int>(entry.type), " ",
                    entry.mode, " ", entry.size, " ", entry.mtime, " ", entry.link_target, "\n");
    missing_ = entry.size;
    return absl::OkStatus();
  }
  absl::Status OnData(absl::string_view data) override {
    KUBE_CHECK(!data.empty() && data.size() <= missing_) << "more content than announced";
    missing_ -= data.size();
    absl::StrAppend(&text_, data);
    return absl::OkStatus();
  }
  absl::Status OnEntryEnd() override {
    KUBE_CHECK(missing_ == 0) << "less content than announced";
    absl::StrAppend(&text_, "end\n");
    return absl::OkStatus();
  }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
  uint64_t missing_ = 0;
};

std::string Outcome(absl::string_view archive, size_t piece) {
  Log log;
  TarReader reader(log);
  absl::Status status;
  while (!archive.empty() && status.ok()) {
    status = reader.Receive(archive.substr(0, piece));
    archive.remove_prefix(archive.size() < piece ? archive.size() : piece);
  }
  const bool may_end = reader.may_end();
  const absl::Status end = reader.EndOfInput();
  KUBE_CHECK(end.ok() == may_end) << end;
  return absl::StrCat(log.text(), end.ToString());
}

}  // namespace
}  // namespace kube::podcopy::internal

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using kube::podcopy::internal::Outcome;
  if (size == 0) return 0;
  const absl::string_view archive(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string whole = Outcome(archive, size);
  KUBE_CHECK(Outcome(archive, size_t{data[0]} * 8 + 1) == whole) << "the cuts matter";
  return 0;
}
