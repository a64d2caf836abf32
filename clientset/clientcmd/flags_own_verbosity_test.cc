// A program that defines a flag --v itself, or gets it from absl/log/flags.h.

#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "apimachinery/base/log/log.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/internal/flag_help.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

ABSL_FLAG(int, v, 1, "The program's own words");

namespace kube::clientcmd {
namespace {

TEST(FlagsOwnVerbosity, IsTheVerbosityOfTheLog) {
  std::vector<std::string> arguments = {"program", "-v", "3", "more"};
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  EXPECT_EQ(ParseCommandLine(static_cast<int>(argv.size()), argv.data()).size(), 2u);
  EXPECT_EQ(absl::GetFlag(FLAGS_v), 3);
  EXPECT_TRUE(log::V(3));
  EXPECT_FALSE(log::V(4));
}

TEST(FlagsOwnVerbosity, HelpHasItOnceWithTheProgramsWords) {
  const std::string help = internal::FlagHelp("");
  EXPECT_THAT(help, testing::HasSubstr(
                        "Logging flags:\n    -v, --v=1:\n        The program's own words\n"));
  EXPECT_EQ(help.find("-v, --v="), help.rfind("-v, --v="));
}

}  // namespace
}  // namespace kube::clientcmd
