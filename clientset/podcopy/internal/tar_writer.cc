#include "clientset/podcopy/internal/tar_writer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "clientset/podcopy/internal/tar_entry.h"

namespace kube::podcopy::internal {
namespace {

constexpr absl::string_view kUstar("ustar\00000", 8);
constexpr absl::string_view kGnu("ustar  \0", 8);

// The name of GNU's entries that have a long name, or a long link target, as their content.
constexpr absl::string_view kLongLink = "././@LongLink";

size_t PaddingOf(uint64_t size) {
  return static_cast<size_t>((kTarBlockBytes - size % kTarBlockBytes) % kTarBlockBytes);
}

// Returns the largest number that an octal field can have: a zero byte ends it.
uint64_t LargestOctal(TarField field) { return (uint64_t{1} << 3 * (field.size - 1)) - 1; }

// A header block.
class Block {
 public:
  Block() : bytes_(kTarBlockBytes, '\0') {}

  // Cuts the text if it is longer than the field.
  void SetText(TarField field, absl::string_view text) {
    const size_t size = std::min(text.size(), field.size);
    bytes_.replace(field.offset, size, text.data(), size);
  }

  void SetNumber(TarField field, uint64_t number) {
    if (number <= LargestOctal(field)) {
      return SetText(field, absl::StrFormat("%0*o", static_cast<int>(field.size - 1), number));
    }
    // GNU's form: a set high bit, and a big-endian number.
    for (size_t i = field.size; i-- > 1; number >>= 8) {
      bytes_[field.offset + i] = static_cast<char>(number & 0xff);
    }
    bytes_[field.offset] = '\x80';
  }

  void SetType(char type) { bytes_[kTarTypeOffset] = type; }

  void AppendTo(std::string& out) {
    // The checksum is that of a header whose checksum consists of blanks.
    SetText(kTarChecksum, "        ");
    uint32_t sum = 0;
    for (const char byte : bytes_) sum += static_cast<unsigned char>(byte);
    SetText(kTarChecksum, absl::StrFormat("%06o", sum));
    bytes_[kTarChecksum.offset + 6] = '\0';
    out += bytes_;
  }

 private:
  std::string bytes_;
};

char TypeFlagOf(TarType type) {
  switch (type) {
    case TarType::kFile:
      return '0';
    case TarType::kHardLink:
      return '1';
    case TarType::kSymlink:
      return '2';
    case TarType::kFolder:
      return '5';
    case TarType::kOther:
      break;
  }
  return '\0';
}

// Splits a name into the prefix and the name of a ustar header. Returns nullopt if it does not fit.
std::optional<std::pair<absl::string_view, absl::string_view>> Split(absl::string_view name) {
  if (name.size() <= kTarName.size) return std::pair(absl::string_view(), name);
  const size_t longest = std::min(kTarPrefix.size, name.size() - 2);
  const size_t slash = name.rfind('/', longest);
  if (slash == absl::string_view::npos || slash == 0) return std::nullopt;
  const absl::string_view rest = name.substr(slash + 1);
  if (rest.size() > kTarName.size) return std::nullopt;
  return std::pair(name.substr(0, slash), rest);
}

// Appends an entry that says the long name, or the long link target, of the next one.
void AppendLong(char type, absl::string_view text, std::string& out) {
  Block block;
  block.SetText(kTarName, kLongLink);
  block.SetNumber(kTarMode, 0644);
  block.SetNumber(kTarUserId, 0);
  block.SetNumber(kTarGroupId, 0);
  block.SetNumber(kTarSize, text.size() + 1);
  block.SetNumber(kTarMtime, 0);
  block.SetType(type);
  block.SetText(kTarMagic, kGnu);
  block.AppendTo(out);
  absl::StrAppend(&out, text);
  out.append(1 + PaddingOf(text.size() + 1), '\0');
}

absl::Status Check(const TarEntry& entry) {
  const bool is_link = entry.type == TarType::kSymlink || entry.type == TarType::kHardLink;
  if (entry.name.empty() || absl::StrContains(entry.name, '\0')) {
    return absl::InvalidArgumentError("tar: invalid name");
  }
  if (is_link == entry.link_target.empty() || absl::StrContains(entry.link_target, '\0')) {
    return absl::InvalidArgumentError("tar: invalid target of link");
  }
  if (entry.type == TarType::kOther) return absl::InvalidArgumentError("tar: unknown type");
  if (entry.size > 0 && entry.type != TarType::kFile) {
    return absl::InvalidArgumentError("tar: only files have a size");
  }
  if (entry.mtime < 0) return absl::InvalidArgumentError("tar: time before 1970");
  return absl::OkStatus();
}

}  // namespace

absl::Status TarWriter::AddEntry(const TarEntry& entry, std::string& out) {
  if (finished_) return absl::FailedPreconditionError("tar: the archive has ended");
  if (missing_ > 0) return absl::FailedPreconditionError("tar: the content of a file is missing");
  absl::Status checked = Check(entry);
  if (!checked.ok()) return checked;
  std::string name = entry.name;
  if (entry.type == TarType::kFolder && !absl::EndsWith(name, "/")) name += '/';

  const auto split = Split(name);
  // A header with an extension of GNU has no prefix.
  const bool is_gnu = !split.has_value() || entry.link_target.size() > kTarLinkTarget.size ||
                      entry.size > LargestOctal(kTarSize) ||
                      static_cast<uint64_t>(entry.mtime) > LargestOctal(kTarMtime) ||
                      entry.user_id > LargestOctal(kTarUserId) ||
                      entry.group_id > LargestOctal(kTarGroupId);
  if (entry.link_target.size() > kTarLinkTarget.size) AppendLong('K', entry.link_target, out);
  if (is_gnu && name.size() > kTarName.size) AppendLong('L', name, out);

  Block block;
  block.SetText(kTarName, is_gnu ? absl::string_view(name) : split->second);
  if (!is_gnu) block.SetText(kTarPrefix, split->first);
  block.SetNumber(kTarMode, entry.mode & 07777);
  block.SetNumber(kTarUserId, entry.user_id);
  block.SetNumber(kTarGroupId, entry.group_id);
  block.SetNumber(kTarSize, entry.size);
  block.SetNumber(kTarMtime, static_cast<uint64_t>(entry.mtime));
  block.SetType(TypeFlagOf(entry.type));
  block.SetText(kTarLinkTarget, entry.link_target);
  block.SetText(kTarMagic, is_gnu ? kGnu : kUstar);
  block.AppendTo(out);
  missing_ = entry.size;
  padding_ = PaddingOf(entry.size);
  return absl::OkStatus();
}

absl::Status TarWriter::AddData(absl::string_view data, std::string& out) {
  if (data.size() > missing_) return absl::FailedPreconditionError("tar: more data than announced");
  absl::StrAppend(&out, data);
  missing_ -= data.size();
  if (missing_ == 0 && !data.empty()) out.append(padding_, '\0');
  return absl::OkStatus();
}

absl::Status TarWriter::Finish(std::string& out) {
  if (missing_ > 0) return absl::FailedPreconditionError("tar: the content of a file is missing");
  if (!finished_) out.append(2 * kTarBlockBytes, '\0');
  finished_ = true;
  return absl::OkStatus();
}

}  // namespace kube::podcopy::internal
