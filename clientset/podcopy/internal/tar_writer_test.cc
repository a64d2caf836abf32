#include "clientset/podcopy/internal/tar_writer.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/podcopy/internal/tar_entry.h"
#include "clientset/podcopy/internal/tar_reader.h"
#include "clientset/podcopy/testing/tar_recorder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::podcopy::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::HasSubstr;

// Writes an archive of one file. This is the example of tar_writer.h.
absl::Status WriteFile(absl::string_view text, std::string& out) {
  TarWriter writer;
  KUBE_RETURN_IF_ERROR(writer.AddEntry({.name = "a.txt", .size = text.size()}, out));
  KUBE_RETURN_IF_ERROR(writer.AddData(text, out));
  KUBE_RETURN_IF_ERROR(writer.Finish(out));
  return absl::OkStatus();
}

// The bytes that tar(5) of ustar describes.
TEST(TarWriter, WritesUstar) {
  std::string out;
  ASSERT_THAT(WriteFile("hello", out), IsOk());
  ASSERT_EQ(out.size(), 4 * kTarBlockBytes);
  std::string header(kTarBlockBytes, '\0');
  header.replace(0, 5, "a.txt");
  header.replace(100, 7, "0000644");
  header.replace(108, 7, "0000000");
  header.replace(116, 7, "0000000");
  header.replace(124, 11, "00000000005");
  header.replace(136, 11, "00000000000");
  header.replace(148, 8, std::string("006022\0 ", 8));
  header.replace(156, 1, "0");
  header.replace(257, 8, std::string("ustar\00000", 8));
  uint32_t sum = 0;
  for (size_t i = 0; i < header.size(); ++i) {
    sum += i >= 148 && i < 156 ? ' ' : static_cast<unsigned char>(header[i]);
  }
  std::string digits = "000000";
  for (size_t i = digits.size(); i-- > 0; sum /= 8) digits[i] = static_cast<char>('0' + sum % 8);
  header.replace(148, 6, digits);
  EXPECT_EQ(out.substr(0, kTarBlockBytes), header);
  EXPECT_EQ(out.substr(kTarBlockBytes, 5), "hello");
  EXPECT_EQ(out.substr(kTarBlockBytes + 5), std::string(3 * kTarBlockBytes - 5, '\0'));
}

TEST(TarWriter, WritesWhatAReaderReads) {
  const std::string long_name = absl::StrCat(std::string(200, 'a'), "/", std::string(120, 'b'));
  const std::string split_name = absl::StrCat(std::string(120, 'a'), "/", std::string(90, 'b'));
  struct Case {
    std::string name;
    TarEntry entry;
  };
  const std::vector<Case> cases = {
      {"a file", {.name = "a", .mode = 0600, .size = 3, .mtime = 1'700'000'000}},
      {"an empty file", {.name = "a"}},
      {"all bits of the mode", {.name = "a", .mode = 07777}},
      {"a name of a hundred bytes", {.name = std::string(100, 'a')}},
      {"a name that is split", {.name = split_name}},
      {"a name that cannot be split", {.name = long_name}},
      {"a long name without a slash", {.name = std::string(5000, 'a')}},
      {"a name of a hundred and one bytes", {.name = std::string(101, 'a')}},
      {"a name with other bytes", {.name = "\xc3\xa4\xff\n"}},
      {"a folder", {.name = "a/", .type = TarType::kFolder, .mode = 0755}},
      {"a folder with a long name",
       {.name = absl::StrCat(long_name, "/"), .type = TarType::kFolder}},
      {"a symlink", {.name = "a", .type = TarType::kSymlink, .link_target = "../b"}},
      {"a hard link", {.name = "a", .type = TarType::kHardLink, .link_target = "b"}},
      {"a long link target",
       {.name = "a", .type = TarType::kSymlink, .link_target = std::string(101, 'b')}},
      {"a long name and a long link target",
       {.name = long_name, .type = TarType::kSymlink, .link_target = long_name}},
      {"owners", {.name = "a", .user_id = 1000, .group_id = 2'097'151}},
      {"large numbers of owners", {.name = "a", .user_id = 4'294'967'295, .group_id = 2'097'152}},
      {"a time far away", {.name = "a", .mtime = int64_t{1} << 40}},
  };
  for (const Case& each : cases) {
    TarWriter writer;
    std::string out;
    ASSERT_THAT(writer.AddEntry(each.entry, out), IsOk()) << each.name;
    const std::string content(each.entry.size, 'x');
    ASSERT_THAT(writer.AddData(content, out), IsOk()) << each.name;
    ASSERT_THAT(writer.Finish(out), IsOk()) << each.name;
    EXPECT_EQ(out.size() % kTarBlockBytes, 0u) << each.name;
    TarRecorder recorder;
    TarReader reader(recorder);
    EXPECT_THAT(reader.Receive(out), IsOk()) << each.name;
    EXPECT_TRUE(reader.done()) << each.name;
    ASSERT_EQ(recorder.members().size(), 1u) << each.name;
    EXPECT_TRUE(recorder.members()[0].entry == each.entry) << each.name;
    EXPECT_EQ(recorder.members()[0].content, content) << each.name;
  }
}

// More than eleven octal digits. Only the header is written here.
TEST(TarWriter, WritesSizesAboveEightGibibytes) {
  for (const uint64_t size : {(uint64_t{8} << 30) - 1, uint64_t{8} << 30, uint64_t{1} << 50}) {
    TarWriter writer;
    std::string out;
    ASSERT_THAT(writer.AddEntry({.name = "a", .size = size}, out), IsOk());
    EXPECT_EQ(writer.missing_bytes(), size);
    TarRecorder recorder;
    TarReader reader(recorder);
    EXPECT_THAT(reader.Receive(out), IsOk());
    ASSERT_EQ(recorder.members().size(), 1u);
    EXPECT_EQ(recorder.members()[0].entry.size, size);
    EXPECT_EQ(recorder.ended(), 0u);
  }
}

TEST(TarWriter, RefusesWhatCannotBeWritten) {
  struct Case {
    std::string name;
    TarEntry entry;
    std::string message;
  };
  const std::vector<Case> cases = {
      {"no name", {}, "tar: invalid name"},
      {"a zero byte in the name", {.name = std::string("a\0b", 3)}, "tar: invalid name"},
      {"a symlink without a target",
       {.name = "a", .type = TarType::kSymlink},
       "tar: invalid target of link"},
      {"a file with a target", {.name = "a", .link_target = "b"}, "tar: invalid target of link"},
      {"a zero byte in the target",
       {.name = "a", .type = TarType::kSymlink, .link_target = std::string("a\0b", 3)},
       "tar: invalid target of link"},
      {"a device", {.name = "a", .type = TarType::kOther}, "tar: unknown type"},
      {"a folder with a size",
       {.name = "a", .type = TarType::kFolder, .size = 1},
       "tar: only files have a size"},
      {"a time before 1970", {.name = "a", .mtime = -1}, "tar: time before 1970"},
  };
  for (const Case& each : cases) {
    TarWriter writer;
    std::string out;
    EXPECT_THAT(writer.AddEntry(each.entry, out),
                StatusIs(absl::StatusCode::kInvalidArgument, each.message))
        << each.name;
    EXPECT_EQ(out, "") << each.name;
  }
}

TEST(TarWriter, KnowsWhatIsMissing) {
  TarWriter writer;
  std::string out;
  ASSERT_THAT(writer.AddEntry({.name = "a", .size = 4}, out), IsOk());
  ASSERT_THAT(writer.AddData("abc", out), IsOk());
  EXPECT_EQ(writer.missing_bytes(), 1u);
  EXPECT_THAT(writer.AddEntry({.name = "b"}, out),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("missing")));
  EXPECT_THAT(writer.Finish(out),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("missing")));
  EXPECT_THAT(writer.AddData("de", out),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("more data")));
  EXPECT_THAT(writer.AddData("d", out), IsOk());
  EXPECT_THAT(writer.Finish(out), IsOk());
  EXPECT_THAT(writer.AddEntry({.name = "b"}, out),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("ended")));
}

}  // namespace
}  // namespace kube::podcopy::internal
