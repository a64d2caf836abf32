#ifndef CLIENTSET_PODCOPY_INTERNAL_TAR_ENTRY_H_
#define CLIENTSET_PODCOPY_INTERNAL_TAR_ENTRY_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace kube::podcopy::internal {

enum class TarType {
  kFile,
  kFolder,
  kSymlink,
  kHardLink,
  kOther,  // a device, a pipe, or something that only one program knows
};

// A member of an archive, without its content. (Go: `tar.Header`)
struct TarEntry {
  // As in the archive. Never empty; a folder's name may end in a slash.
  std::string name = {};
  TarType type = TarType::kFile;
  // The permissions, and the bits for setuid, setgid and sticky: 12 bits.
  uint32_t mode = 0644;
  uint32_t user_id = 0;
  uint32_t group_id = 0;
  // The number of bytes that follow. Zero for all types but kFile and kOther.
  uint64_t size = 0;
  // Seconds since 1970; not before.
  int64_t mtime = 0;
  // The target of a link: for kHardLink the name of an entry.
  std::string link_target = {};

  friend bool operator==(const TarEntry&, const TarEntry&) = default;
};

// Archives consist of blocks of this size.
inline constexpr size_t kTarBlockBytes = 512;

// Fields of a header block: where they begin, and their sizes.
struct TarField {
  size_t offset = 0;
  size_t size = 0;
};

inline constexpr TarField kTarName = {0, 100};
inline constexpr TarField kTarMode = {100, 8};
inline constexpr TarField kTarUserId = {108, 8};
inline constexpr TarField kTarGroupId = {116, 8};
inline constexpr TarField kTarSize = {124, 12};
inline constexpr TarField kTarMtime = {136, 12};
inline constexpr TarField kTarChecksum = {148, 8};
inline constexpr size_t kTarTypeOffset = 156;
inline constexpr TarField kTarLinkTarget = {157, 100};
inline constexpr TarField kTarMagic = {257, 8};  // with the version
inline constexpr TarField kTarPrefix = {345, 155};

}  // namespace kube::podcopy::internal

#endif  // CLIENTSET_PODCOPY_INTERNAL_TAR_ENTRY_H_
