#ifndef CLIENTSET_PODCOPY_TESTING_TAR_RECORDER_H_
#define CLIENTSET_PODCOPY_TESTING_TAR_RECORDER_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "clientset/podcopy/internal/tar_entry.h"
#include "clientset/podcopy/internal/tar_reader.h"

namespace kube::podcopy {

// An entry of an archive with its content.
struct TarMember {
  internal::TarEntry entry = {};
  std::string content = {};
};

// Collects what a TarReader reads, for tests. Thread-compatible.
class TarRecorder final : public internal::TarReader::Events {
 public:
  absl::Status OnEntry(const internal::TarEntry& entry) override {
    members_.push_back({.entry = entry});
    return absl::OkStatus();
  }
  absl::Status OnData(absl::string_view data) override {
    absl::StrAppend(&members_.back().content, data);
    return absl::OkStatus();
  }
  absl::Status OnEntryEnd() override {
    ++ended_;
    return absl::OkStatus();
  }

  const std::vector<TarMember>& members() const { return members_; }
  // The number of entries that have ended.
  size_t ended() const { return ended_; }
  // Lines such as "a/b 5" for a file, "a/", "a -> b" for a symlink and "a == b" for a hard link.
  std::vector<std::string> Lines() const {
    std::vector<std::string> lines;
    for (const TarMember& member : members_) lines.push_back(LineOf(member));
    return lines;
  }

 private:
  static std::string LineOf(const TarMember& member) {
    switch (member.entry.type) {
      case internal::TarType::kFile:
        return absl::StrCat(member.entry.name, " ", member.content.size());
      case internal::TarType::kSymlink:
        return absl::StrCat(member.entry.name, " -> ", member.entry.link_target);
      case internal::TarType::kHardLink:
        return absl::StrCat(member.entry.name, " == ", member.entry.link_target);
      case internal::TarType::kFolder:
        return member.entry.name;
      case internal::TarType::kOther:
        break;
    }
    return absl::StrCat(member.entry.name, " ?");
  }

  std::vector<TarMember> members_;
  size_t ended_ = 0;
};

}  // namespace kube::podcopy

#endif  // CLIENTSET_PODCOPY_TESTING_TAR_RECORDER_H_
