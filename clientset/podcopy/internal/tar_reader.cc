#include "clientset/podcopy/internal/tar_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "clientset/podcopy/internal/tar_entry.h"

// The reader is always in one of three places: in a header block, in the content that it announced,
// or in the padding after that. `missing_` and `padding_` tell which. The content of an extended
// header is collected, and changes the entry that follows it; that of other entries is passed on as
// it arrives.
namespace kube::podcopy::internal {
namespace {

constexpr uint64_t kMaxNumber = std::numeric_limits<int64_t>::max();

absl::Status Malformed(absl::string_view what) {
  return absl::DataLossError(absl::StrCat("tar: ", what));
}

absl::string_view Bytes(absl::string_view header, TarField field) {
  return header.substr(field.offset, field.size);
}

// Returns the text of a field, which a zero byte ends if it is shorter than the field.
absl::string_view Text(absl::string_view header, TarField field) {
  const absl::string_view bytes = Bytes(header, field);
  return bytes.substr(0, bytes.find('\0'));
}

// Parses GNU's form: a set high bit, and a big-endian number.
absl::StatusOr<uint64_t> ParseBinary(absl::string_view bytes) {
  uint64_t number = static_cast<unsigned char>(bytes[0]) & 0x7f;
  if ((number & 0x40) != 0) return Malformed("negative number");
  for (const char byte : bytes.substr(1)) {
    if (number > kMaxNumber >> 8) return Malformed("number too large");
    number = number << 8 | static_cast<unsigned char>(byte);
  }
  return number;
}

absl::StatusOr<uint64_t> ParseNumber(absl::string_view header, TarField field) {
  absl::string_view bytes = Bytes(header, field);
  if ((static_cast<unsigned char>(bytes[0]) & 0x80) != 0) return ParseBinary(bytes);
  bytes = bytes.substr(0, bytes.find('\0'));
  while (absl::StartsWith(bytes, " ")) bytes.remove_prefix(1);
  while (absl::EndsWith(bytes, " ")) bytes.remove_suffix(1);
  uint64_t number = 0;
  for (const char digit : bytes) {
    if (digit < '0' || digit > '7') return Malformed("invalid number in header");
    // A field has at most twelve digits.
    number = number * 8 + static_cast<uint64_t>(digit - '0');
  }
  return number;
}

// Returns whether the checksum, which old programs computed of signed bytes, is right.
bool HasChecksum(absl::string_view header) {
  const absl::StatusOr<uint64_t> expected = ParseNumber(header, kTarChecksum);
  if (!expected.ok()) return false;
  int64_t with_unsigned = 0;
  int64_t with_signed = 0;
  for (size_t i = 0; i < header.size(); ++i) {
    const size_t in_field = i - kTarChecksum.offset;
    const char byte = i >= kTarChecksum.offset && in_field < kTarChecksum.size ? ' ' : header[i];
    with_unsigned += static_cast<unsigned char>(byte);
    with_signed += static_cast<signed char>(byte);
  }
  return static_cast<int64_t>(*expected) == with_unsigned ||
         static_cast<int64_t>(*expected) == with_signed;
}

std::string NameOf(absl::string_view header) {
  const absl::string_view name = Text(header, kTarName);
  const bool is_ustar = Bytes(header, kTarMagic).substr(0, 6) == absl::string_view("ustar\0", 6);
  const absl::string_view prefix = is_ustar ? Text(header, kTarPrefix) : "";
  return prefix.empty() ? std::string(name) : absl::StrCat(prefix, "/", name);
}

TarType TypeOf(char flag, absl::string_view name) {
  switch (flag) {
    case '\0':
    case '0':
    case '7':
      // The oldest format has no other way to say that.
      return absl::EndsWith(name, "/") ? TarType::kFolder : TarType::kFile;
    case '1':
      return TarType::kHardLink;
    case '2':
      return TarType::kSymlink;
    case '5':
      return TarType::kFolder;
    default:
      return TarType::kOther;
  }
}

// The header of a device, a link or a folder is not followed by content, whatever its size says.
bool HasContent(TarType type, char flag) {
  const bool is_device = flag == '3' || flag == '4' || flag == '6';
  return type == TarType::kFile || (type == TarType::kOther && !is_device);
}

}  // namespace

absl::Status TarReader::Receive(absl::string_view bytes) {
  while (failure_.ok() && !done_ && !bytes.empty()) {
    if (missing_ > 0) {
      failure_ = ReadContent(bytes);
    } else if (padding_ > 0) {
      const size_t size = std::min(padding_, bytes.size());
      bytes.remove_prefix(size);
      padding_ -= size;
    } else {
      failure_ = ReadHeader(bytes);
    }
  }
  return failure_;
}

absl::Status TarReader::EndOfInput() {
  if (failure_.ok() && !may_end()) failure_ = Malformed("unexpected end of archive");
  done_ = failure_.ok();
  return failure_;
}

absl::Status TarReader::ReadHeader(absl::string_view& bytes) {
  const size_t size = std::min(kTarBlockBytes - header_.size(), bytes.size());
  absl::StrAppend(&header_, bytes.substr(0, size));
  bytes.remove_prefix(size);
  if (header_.size() < kTarBlockBytes) return absl::OkStatus();
  const absl::Status status = OnHeader();
  header_.clear();
  return status;
}

absl::Status TarReader::ReadContent(absl::string_view& bytes) {
  const absl::string_view piece =
      bytes.substr(0, static_cast<size_t>(std::min<uint64_t>(missing_, bytes.size())));
  bytes.remove_prefix(piece.size());
  missing_ -= piece.size();
  if (content_ == Content::kData) {
    KUBE_RETURN_IF_ERROR(events_.OnData(piece));
  } else if (content_ != Content::kIgnored) {
    absl::StrAppend(&extension_, piece);
  }
  return missing_ == 0 ? EndContent() : absl::OkStatus();
}

absl::Status TarReader::OnHeader() {
  if (std::all_of(header_.begin(), header_.end(), [](char byte) { return byte == '\0'; })) {
    if (++zero_blocks_ == 2) done_ = true;
    return absl::OkStatus();
  }
  if (zero_blocks_ > 0) return Malformed("data after the end of the archive");
  if (!HasChecksum(header_)) return Malformed("invalid checksum of header");
  KUBE_ASSIGN_OR_RETURN(const uint64_t size, ParseNumber(header_, kTarSize));
  const char flag = header_[kTarTypeOffset];
  switch (flag) {
    case 'x':
      return BeginExtension(Content::kPax, size);
    case 'g':  // for all entries; nothing that matters here is in it
      return BeginExtension(Content::kIgnored, size);
    case 'L':
      return BeginExtension(Content::kLongName, size);
    case 'K':
      return BeginExtension(Content::kLongLink, size);
    case 'S':
      return absl::UnimplementedError("tar: sparse file");
    default:
      return BeginEntry(flag, size);
  }
}

absl::Status TarReader::BeginExtension(Content content, uint64_t size) {
  if (size > kMaxExtensionBytes) {
    return absl::ResourceExhaustedError("tar: extended header too large");
  }
  content_ = content;
  extension_.clear();
  SetSize(size);
  return missing_ == 0 ? EndContent() : absl::OkStatus();
}

absl::Status TarReader::BeginEntry(char type_flag, uint64_t size) {
  const Extensions extensions = std::exchange(extensions_, {});
  TarEntry entry;
  entry.name = extensions.name.value_or(NameOf(header_));
  entry.type = TypeOf(type_flag, entry.name);
  entry.link_target = extensions.link_target.value_or(std::string(Text(header_, kTarLinkTarget)));
  if (entry.type != TarType::kSymlink && entry.type != TarType::kHardLink) {
    entry.link_target.clear();
  }
  if (entry.name.empty() || absl::StrContains(entry.name, '\0') ||
      absl::StrContains(entry.link_target, '\0')) {
    return Malformed("invalid name");
  }
  KUBE_ASSIGN_OR_RETURN(const uint64_t mode, ParseNumber(header_, kTarMode));
  entry.mode = static_cast<uint32_t>(mode & 07777);
  KUBE_ASSIGN_OR_RETURN(const uint64_t user_id, ParseNumber(header_, kTarUserId));
  KUBE_ASSIGN_OR_RETURN(const uint64_t group_id, ParseNumber(header_, kTarGroupId));
  entry.user_id = static_cast<uint32_t>(user_id);
  entry.group_id = static_cast<uint32_t>(group_id);
  // A time before 1970 is a negative number, which nobody here needs.
  const int64_t mtime = static_cast<int64_t>(ParseNumber(header_, kTarMtime).value_or(0));
  entry.mtime = std::max<int64_t>(extensions.mtime.value_or(mtime), 0);
  if (HasContent(entry.type, type_flag)) entry.size = extensions.size.value_or(size);
  content_ = Content::kData;
  SetSize(entry.size);
  KUBE_RETURN_IF_ERROR(events_.OnEntry(entry));
  return missing_ == 0 ? EndContent() : absl::OkStatus();
}

void TarReader::SetSize(uint64_t size) {
  missing_ = size;
  padding_ = static_cast<size_t>((kTarBlockBytes - size % kTarBlockBytes) % kTarBlockBytes);
}

absl::Status TarReader::EndContent() {
  // GNU's names end in a zero byte.
  const absl::string_view text = extension_;
  switch (content_) {
    case Content::kData:
      return events_.OnEntryEnd();
    case Content::kIgnored:
      return absl::OkStatus();
    case Content::kPax:
      return ParsePax(extension_);
    case Content::kLongName:
      extensions_.name = std::string(text.substr(0, text.find('\0')));
      return absl::OkStatus();
    case Content::kLongLink:
      extensions_.link_target = std::string(text.substr(0, text.find('\0')));
      return absl::OkStatus();
  }
  return absl::OkStatus();
}

// A record is "27 path=a/very/long/name\n"; the number counts all of it.
absl::Status TarReader::ParsePax(absl::string_view records) {
  while (!records.empty()) {
    const size_t blank = records.find(' ');
    uint64_t size = 0;
    if (blank == absl::string_view::npos || !absl::SimpleAtoi(records.substr(0, blank), &size) ||
        size <= blank + 1 || size > records.size() || records[size - 1] != '\n') {
      return Malformed("invalid extended header");
    }
    const absl::string_view record = records.substr(blank + 1, size - blank - 2);
    const size_t equals = record.find('=');
    if (equals == absl::string_view::npos) return Malformed("invalid extended header");
    KUBE_RETURN_IF_ERROR(ParsePaxRecord(record.substr(0, equals), record.substr(equals + 1)));
    records.remove_prefix(size);
  }
  return absl::OkStatus();
}

absl::Status TarReader::ParsePaxRecord(absl::string_view key, absl::string_view value) {
  if (absl::StartsWith(key, "GNU.sparse.")) return absl::UnimplementedError("tar: sparse file");
  if (key == "path") {
    extensions_.name = std::string(value);
  } else if (key == "linkpath") {
    extensions_.link_target = std::string(value);
  } else if (key == "size") {
    uint64_t size = 0;
    if (!absl::SimpleAtoi(value, &size) || size > kMaxNumber) return Malformed("invalid size");
    extensions_.size = size;
  } else if (key == "mtime") {
    // Seconds, perhaps with a fraction.
    int64_t mtime = 0;
    if (!absl::SimpleAtoi(value.substr(0, value.find('.')), &mtime)) {
      return Malformed("invalid time");
    }
    extensions_.mtime = mtime;
  }
  return absl::OkStatus();
}

}  // namespace kube::podcopy::internal
