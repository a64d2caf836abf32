#include "clientset/podcopy/internal/tar_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/podcopy/internal/tar_entry.h"
#include "clientset/podcopy/internal/tar_writer.h"
#include "clientset/podcopy/testing/tar_recorder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::podcopy::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;

// Sets the checksum of a header block.
std::string WithChecksum(std::string header) {
  header.replace(kTarChecksum.offset, kTarChecksum.size, kTarChecksum.size, ' ');
  uint32_t sum = 0;
  for (const char byte : header) sum += static_cast<unsigned char>(byte);
  header.replace(kTarChecksum.offset, 6, absl::StrFormat("%06o", sum));
  header[kTarChecksum.offset + 6] = '\0';
  return header;
}

// Returns a header block of ustar with these changes of its bytes.
std::string Header(const TarEntry& entry,
                   const std::vector<std::pair<size_t, std::string>>& changes = {}) {
  TarWriter writer;
  std::string header;
  KUBE_CHECK_OK(writer.AddEntry(entry, header));
  header.resize(kTarBlockBytes);
  for (const auto& [offset, bytes] : changes) header.replace(offset, bytes.size(), bytes);
  return WithChecksum(std::move(header));
}

std::string Flag(char flag) { return std::string(1, flag); }

// Returns content with its padding.
std::string Padded(std::string content) {
  content.resize((content.size() + kTarBlockBytes - 1) / kTarBlockBytes * kTarBlockBytes);
  return content;
}

std::string End() { return std::string(2 * kTarBlockBytes, '\0'); }

// Returns the header and the content of an extended header of POSIX.
std::string Pax(const std::string& records, char flag = 'x') {
  return absl::StrCat(
      Header({.name = "pax", .size = records.size()}, {{kTarTypeOffset, Flag(flag)}}),
      Padded(records));
}

TEST(TarReader, ReadsBytesThatAreCutAnywhere) {
  TarWriter writer;
  std::string archive;
  ASSERT_THAT(writer.AddEntry({.name = "a", .size = 700}, archive), IsOk());
  ASSERT_THAT(writer.AddData(std::string(700, 'x'), archive), IsOk());
  ASSERT_THAT(writer.AddEntry({.name = std::string(200, 'b'), .size = 512}, archive), IsOk());
  ASSERT_THAT(writer.AddData(std::string(512, 'y'), archive), IsOk());
  ASSERT_THAT(writer.AddEntry({.name = "c", .type = TarType::kFolder}, archive), IsOk());
  ASSERT_THAT(writer.Finish(archive), IsOk());
  for (const size_t piece :
       {size_t{1}, size_t{7}, size_t{511}, size_t{512}, size_t{513}, archive.size()}) {
    TarRecorder recorder;
    TarReader reader(recorder);
    for (size_t at = 0; at < archive.size(); at += piece) {
      EXPECT_FALSE(reader.done());
      ASSERT_THAT(reader.Receive(absl::string_view(archive).substr(at, piece)), IsOk()) << piece;
    }
    EXPECT_TRUE(reader.done()) << piece;
    EXPECT_THAT(reader.EndOfInput(), IsOk());
    EXPECT_THAT(recorder.Lines(),
                ElementsAre("a 700", absl::StrCat(std::string(200, 'b'), " 512"), "c/"))
        << piece;
    EXPECT_EQ(recorder.ended(), 3u);
  }
}

TEST(TarReader, IgnoresWhatFollowsTheEnd) {
  TarRecorder recorder;
  TarReader reader(recorder);
  EXPECT_THAT(reader.Receive(absl::StrCat(Header({.name = "a"}), End(), "garbage")), IsOk());
  EXPECT_THAT(reader.Receive("more garbage"), IsOk());
  EXPECT_THAT(reader.EndOfInput(), IsOk());
  EXPECT_THAT(recorder.Lines(), ElementsAre("a 0"));
}

TEST(TarReader, KnowsOldAndForeignEntries) {
  const std::string long_name(150, 'n');
  struct Case {
    std::string name;
    std::string archive;
    std::string line;
  };
  const std::vector<Case> cases = {
      {"a file of the oldest format",
       absl::StrCat(Header({.name = "a", .size = 1}, {{kTarTypeOffset, Flag('\0')},
                                                      {kTarMagic.offset, std::string(8, '\0')}}),
                    Padded("x")),
       "a 1"},
      {"a folder of the oldest format", Header({.name = "a/"}, {{kTarTypeOffset, Flag('\0')}}),
       "a/"},
      {"a contiguous file", Header({.name = "a"}, {{kTarTypeOffset, Flag('7')}}), "a 0"},
      {"a device", Header({.name = "a"}, {{kTarTypeOffset, Flag('3')}}), "a ?"},
      {"a pipe", Header({.name = "a"}, {{kTarTypeOffset, Flag('6')}}), "a ?"},
      {"a device with a size, which has no content",
       Header({.name = "a", .size = 5}, {{kTarTypeOffset, Flag('4')}}), "a ?"},
      {"a folder with a size, which has no content",
       Header({.name = "a/", .size = 5}, {{kTarTypeOffset, Flag('5')}}), "a/"},
      {"an unknown entry with content",
       absl::StrCat(Header({.name = "a", .size = 5}, {{kTarTypeOffset, Flag('V')}}),
                    Padded("12345")),
       "a ?"},
      {"a prefix", Header({.name = "b"}, {{kTarPrefix.offset, "a"}}), "a/b 0"},
      {"a prefix of GNU, which means something else",
       Header({.name = "b"},
              {{kTarPrefix.offset, "a"}, {kTarMagic.offset, std::string("ustar  \0", 8)}}),
       "b 0"},
      {"numbers with blanks",
       absl::StrCat(Header({.name = "a", .size = 1}, {{kTarSize.offset, "         1 \0"}}),
                    Padded("x")),
       "a 1"},
      {"a name of POSIX", absl::StrCat(Pax("12 path=b/c\n"), Header({.name = "a"})), "b/c 0"},
      {"a size of POSIX",
       absl::StrCat(Pax("10 size=2\n"), Header({.name = "a", .size = 5}), Padded("xx")), "a 2"},
      {"a link of POSIX",
       absl::StrCat(Pax("14 linkpath=z\n"),
                    Header({.name = "a", .type = TarType::kSymlink, .link_target = "b"})),
       "a -> z"},
      {"other records of POSIX",
       absl::StrCat(Pax("16 comment=a=b\n\n21 atime=1234567.123\n"), Header({.name = "a"})), "a 0"},
      {"global records of POSIX", absl::StrCat(Pax("12 path=b/c\n", 'g'), Header({.name = "a"})),
       "a 0"},
      {"a long name of GNU",
       absl::StrCat(Header({.name = "././@LongLink", .size = 151}, {{kTarTypeOffset, Flag('L')}}),
                    Padded(long_name), Header({.name = "n"})),
       absl::StrCat(long_name, " 0")},
  };
  for (const Case& each : cases) {
    TarRecorder recorder;
    TarReader reader(recorder);
    EXPECT_THAT(reader.Receive(absl::StrCat(each.archive, Header({.name = "last"}), End())), IsOk())
        << each.name;
    EXPECT_TRUE(reader.done()) << each.name;
    // What changes one entry does not change the next one.
    EXPECT_THAT(recorder.Lines(), ElementsAre(each.line, "last 0")) << each.name;
    EXPECT_EQ(recorder.ended(), 2u) << each.name;
  }
}

TEST(TarReader, ReadsTimesOfPosix) {
  TarRecorder recorder;
  TarReader reader(recorder);
  EXPECT_THAT(reader.Receive(absl::StrCat(Pax("20 mtime=1234567.89\n"), Header({.name = "a"}),
                                          Pax("12 mtime=-5\n"), Header({.name = "b"}))),
              IsOk());
  ASSERT_EQ(recorder.members().size(), 2u);
  EXPECT_EQ(recorder.members()[0].entry.mtime, 1234567);
  EXPECT_EQ(recorder.members()[1].entry.mtime, 0);
}

TEST(TarReader, RefusesWhatIsNoArchive) {
  struct Case {
    std::string name;
    std::string archive;
    absl::StatusCode code;
    std::string message;
  };
  std::string bad_checksum = Header({.name = "a"});
  bad_checksum[0] = 'b';
  const auto lost = absl::StatusCode::kDataLoss;
  const std::vector<Case> cases = {
      {"text", std::string(kTarBlockBytes, 'x'), lost, "checksum"},
      {"a changed byte", bad_checksum, lost, "checksum"},
      {"one block of the end, and more",
       absl::StrCat(std::string(kTarBlockBytes, '\0'), Header({.name = "a"})), lost,
       "after the end"},
      {"digits that are not octal", Header({.name = "a"}, {{kTarSize.offset, "00000000009"}}), lost,
       "invalid number"},
      {"a negative size", Header({.name = "a"}, {{kTarSize.offset, std::string(12, '\xff')}}), lost,
       "negative number"},
      {"a size that is too large",
       Header({.name = "a"}, {{kTarSize.offset, absl::StrCat("\x80", std::string(11, '\xff'))}}),
       lost, "number too large"},
      {"an empty name", Header({.name = "a"}, {{0, std::string(1, '\0')}}), lost, "invalid name"},
      {"a zero byte in a name",
       absl::StrCat(Pax(std::string("11 path=\0b\n", 11)), Header({.name = "a"})), lost,
       "invalid name"},
      {"a sparse file", Header({.name = "a"}, {{kTarTypeOffset, Flag('S')}}),
       absl::StatusCode::kUnimplemented, "sparse"},
      {"a sparse file of POSIX",
       absl::StrCat(Pax("22 GNU.sparse.major=1\n"), Header({.name = "a"})),
       absl::StatusCode::kUnimplemented, "sparse"},
      {"an extended header that is too large",
       Header({.name = "a", .size = (1 << 20) + 1}, {{kTarTypeOffset, Flag('x')}}),
       absl::StatusCode::kResourceExhausted, "too large"},
      {"a record without a length", Pax("path=b\n"), lost, "extended header"},
      {"a record that is longer than the header", Pax("99 path=b\n"), lost, "extended header"},
      {"a record without an end", Pax("9 path=bc"), lost, "extended header"},
      {"a record without a value", Pax("7 path\n"), lost, "extended header"},
      {"a record of nothing", Pax("2 \n"), lost, "extended header"},
      {"a record whose size is no number", Pax("10 size=x\n"), lost, "invalid size"},
      {"a record whose time is no number", Pax("11 mtime=x\n"), lost, "invalid time"},
  };
  for (const Case& each : cases) {
    TarRecorder recorder;
    TarReader reader(recorder);
    EXPECT_THAT(reader.Receive(each.archive), StatusIs(each.code, HasSubstr(each.message)))
        << each.name;
    // The error is final.
    EXPECT_THAT(reader.Receive(End()), StatusIs(each.code)) << each.name;
    EXPECT_THAT(reader.EndOfInput(), StatusIs(each.code)) << each.name;
    EXPECT_FALSE(reader.may_end()) << each.name;
  }
}

TEST(TarReader, NoticesThatTheArchiveIsCut) {
  const std::string archive = absl::StrCat(Header({.name = "a", .size = 3}), Padded("abc"), End());
  for (size_t size = 0; size <= archive.size(); ++size) {
    TarRecorder recorder;
    TarReader reader(recorder);
    ASSERT_THAT(reader.Receive(absl::string_view(archive).substr(0, size)), IsOk());
    // Some programs write only one block at the end.
    const bool complete = size == 3 * kTarBlockBytes || size == 4 * kTarBlockBytes;
    EXPECT_EQ(reader.may_end(), complete) << size;
    if (complete) {
      EXPECT_THAT(reader.EndOfInput(), IsOk()) << size;
    } else {
      EXPECT_THAT(reader.EndOfInput(),
                  StatusIs(absl::StatusCode::kDataLoss, HasSubstr("unexpected end")))
          << size;
    }
  }
}

// Events that end the reader.
class Refusing final : public TarReader::Events {
 public:
  explicit Refusing(std::string what) : what_(std::move(what)) {}
  absl::Status OnEntry(const TarEntry&) override { return Answer("entry"); }
  absl::Status OnData(absl::string_view) override { return Answer("data"); }
  absl::Status OnEntryEnd() override { return Answer("end"); }

 private:
  absl::Status Answer(absl::string_view what) const {
    return what == what_ ? absl::UnavailableError("disk full") : absl::OkStatus();
  }
  const std::string what_;
};

TEST(TarReader, ReturnsTheErrorsOfEvents) {
  for (const char* const what : {"entry", "data", "end"}) {
    Refusing events(what);
    TarReader reader(events);
    EXPECT_THAT(reader.Receive(absl::StrCat(Header({.name = "a", .size = 3}), Padded("abc"))),
                StatusIs(absl::StatusCode::kUnavailable, "disk full"))
        << what;
  }
}

}  // namespace
}  // namespace kube::podcopy::internal
