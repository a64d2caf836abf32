#include "apimachinery/base/log/log_sink.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/log/log_record.h"
#include "gtest/gtest.h"

namespace kube::log {
namespace {

constexpr Record kRecord = {.where = {"c.cc", 1}, .message = "m"};

// Both ends of a pipe.
struct Pipe {
  Pipe() {
    int fds[2] = {-1, -1};
    EXPECT_EQ(pipe(fds), 0);
    reader = fds[0];
    writer = fds[1];
  }
  ~Pipe() {
    close(reader);
    if (writer >= 0) close(writer);
  }

  // Everything until the writer's end is closed.
  std::string ReadAll() {
    std::string text;
    char buffer[4096];
    for (ssize_t n; (n = read(reader, buffer, sizeof(buffer))) > 0;) text.append(buffer, n);
    return text;
  }
  void CloseWriter() {
    close(writer);
    writer = -1;
  }

  int reader = -1;
  int writer = -1;
};

TEST(LogSink, WritesTheFormats) {
  Pipe pipe;
  TextSink(pipe.writer).Write(kRecord);
  JsonSink(pipe.writer).Write(kRecord);
  pipe.CloseWriter();
  EXPECT_EQ(pipe.ReadAll(), FormatText(kRecord) + FormatJson(kRecord));
}

TEST(LogSink, WhatCannotBeWrittenIsDropped) {
  const int closed = open("/dev/null", O_RDONLY);
  TextSink(closed).Write(kRecord);
  close(closed);
  TextSink(-1).Write(kRecord);
}

// Lines longer than a pipe takes at once, from several threads, arrive whole.
TEST(LogSink, LongLinesOfSeveralThreadsStayWhole) {
  constexpr int kThreads = 3;
  constexpr int kLines = 10;
  Pipe pipe;
  std::string text;
  std::jthread reader([&] { text = pipe.ReadAll(); });
  {
    JsonSink sink(pipe.writer);
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&sink, t] {
        const std::string filler(100000, static_cast<char>('a' + t));
        for (int i = 0; i < kLines; ++i) {
          const Field fields[] = {{"thread", t}, {"line", i}, {"filler", filler}};
          sink.Write({.message = "m", .fields = fields});
        }
      });
    }
  }
  pipe.CloseWriter();
  reader.join();
  std::set<std::string> lines;
  for (const absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    lines.insert(std::string(line));
  }
  EXPECT_EQ(lines.size(), size_t{kThreads * kLines});
  for (int t = 0; t < kThreads; ++t) {
    for (int i = 0; i < kLines; ++i) {
      const std::string filler(100000, static_cast<char>('a' + t));
      const Field fields[] = {{"thread", t}, {"line", i}, {"filler", filler}};
      std::string want = FormatJson({.message = "m", .fields = fields});
      want.pop_back();
      EXPECT_EQ(lines.count(want), 1u) << "thread " << t << " line " << i;
    }
  }
}

}  // namespace
}  // namespace kube::log
