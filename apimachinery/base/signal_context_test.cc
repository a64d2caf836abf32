#include "apimachinery/base/signal_context.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "apimachinery/base/check.h"
#include "gtest/gtest.h"

namespace kube {
namespace {

// Runs the test program in a process of its own. Its output synchronises the two processes.
class Program {
 public:
  explicit Program(const char* then) {
    int ends[2];
    KUBE_CHECK_EQ(pipe(ends), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    const std::string path = std::getenv("SIGNAL_CONTEXT_TEST_PROGRAM");
    std::string name = "program";
    std::string argument = then;
    char* const argv[] = {name.data(), argument.data(), nullptr};
    KUBE_CHECK_EQ(posix_spawn(&pid_, path.c_str(), &actions, nullptr, argv, environ), 0) << path;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    output_ = fdopen(ends[0], "r");
  }

  ~Program() {
    fclose(output_);
    if (pid_ == 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }

  void Send(int signal) { ASSERT_EQ(kill(pid_, signal), 0); }

  // Returns the next line that the program prints; empty at the end.
  std::string Line() {
    std::string line;
    for (int c = std::getc(output_); c != EOF && c != '\n'; c = std::getc(output_)) {
      line += static_cast<char>(c);
    }
    return line;
  }

  // Returns how the program ended: "exit 1", "signal 9".
  std::string Wait() {
    int status = 0;
    KUBE_CHECK_EQ(waitpid(pid_, &status, 0), pid_);
    pid_ = 0;
    return WIFEXITED(status) ? "exit " + std::to_string(WEXITSTATUS(status))
                             : "signal " + std::to_string(WTERMSIG(status));
  }

 private:
  pid_t pid_ = 0;
  std::FILE* output_ = nullptr;
};

// behaviour.md: CR-8
TEST(SignalContextTest, TheFirstSignalEndsTheContextAndTheProgramEndsByItself) {
  const struct {
    const char* name;
    int signal;
  } cases[] = {{"SIGINT", SIGINT}, {"SIGTERM", SIGTERM}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    Program program("end");
    ASSERT_EQ(program.Line(), "ready");
    program.Send(c.signal);
    EXPECT_EQ(program.Line(), "called back");
    EXPECT_EQ(program.Line(),
              std::string("context canceled: received ") + c.name + "; received " + c.name);
    EXPECT_EQ(program.Line(), "cleaned up");
    EXPECT_EQ(program.Wait(), "exit 0");
  }
}

// behaviour.md: CR-8
TEST(SignalContextTest, TheSecondSignalEndsTheProcess) {
  const struct {
    const char* name;
    int first;
    int second;
  } cases[] = {{"same", SIGTERM, SIGTERM},
               {"SIGINT first", SIGINT, SIGTERM},
               {"SIGTERM first", SIGTERM, SIGINT}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    Program program("hang");
    ASSERT_EQ(program.Line(), "ready");
    program.Send(c.first);
    EXPECT_EQ(program.Line(), "called back");
    EXPECT_NE(program.Line(), "");
    program.Send(c.second);
    EXPECT_EQ(program.Line(), "");  // nothing is cleaned up
    EXPECT_EQ(program.Wait(), "exit 1");
  }
}

}  // namespace
}  // namespace kube
