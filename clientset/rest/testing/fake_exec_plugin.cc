// A credential plug-in for tests. Its first argument decides what it does:
//
//   print            writes PLUGIN_OUTPUT, and KUBERNETES_EXEC_INFO into the file PLUGIN_INFO
//   token NAME       writes a credential whose token is the variable NAME
//   file FILE        writes the content of FILE
//   stdin            writes a credential whose token is the line that it reads, or "eof"
//   count FILE       adds a byte to FILE, and writes a credential whose token is FILE's size
//   exit CODE        writes nothing, and exits with CODE
//   signal           is ended by SIGKILL
//   huge SIZE        writes SIZE bytes
//   hang FILE        creates FILE, and waits forever
//   stubborn FILE    like hang, but ignores SIGTERM
//   number FILE      writes its process id into FILE, and waits forever
//   leave FILE       leaves its process group, and then behaves like number
//   family FILE      starts a child that waits forever, writes its id into FILE, and waits
//   orphan           starts a child that keeps standard output open for a minute, and exits
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

namespace {

void PrintToken(const std::string& token) {
  std::cout << R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",)"
            << R"("status":{"token":")" << token << "\"}}\n";
}

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "unset" : value;
}

[[noreturn]] void WaitForEver() {
  while (true) pause();
}

// Atomic, for tests that wait until the file exists.
void WriteFile(const std::string& path, const std::string& text) {
  std::ofstream(path + ".new") << text;
  std::filesystem::rename(path + ".new", path);
}

void PrintFromVariable() {
  std::cout << Variable("PLUGIN_OUTPUT");
  if (std::getenv("PLUGIN_INFO") != nullptr) {
    WriteFile(Variable("PLUGIN_INFO"), Variable("KUBERNETES_EXEC_INFO"));
  }
}

void Family(const std::string& file) {
  const pid_t child = fork();
  if (child == 0) WaitForEver();
  WriteFile(file, std::to_string(child));
  WaitForEver();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const std::string argument = argc > 2 ? argv[2] : "";
  if (what == "print") PrintFromVariable();
  if (what == "token") PrintToken(Variable(argument.c_str()));
  if (what == "file") std::cout << std::ifstream(argument).rdbuf();
  if (what == "stdin") {
    std::string line;
    PrintToken(std::getline(std::cin, line) ? line : "eof");
  }
  if (what == "count") {
    std::ofstream(argument, std::ios::app) << "x";
    PrintToken(std::to_string(std::filesystem::file_size(argument)));
  }
  if (what == "exit") return std::atoi(argument.c_str());
  if (what == "signal") raise(SIGKILL);
  if (what == "huge") std::cout << std::string(std::stoul(argument), '{');
  if (what == "stubborn") std::signal(SIGTERM, SIG_IGN);
  if (what == "hang" || what == "stubborn") {
    WriteFile(argument, "here");
    WaitForEver();
  }
  if (what == "leave" && setpgid(0, getpgid(getppid())) != 0) return 1;
  if (what == "leave" || what == "number") {
    WriteFile(argument, std::to_string(getpid()));
    WaitForEver();
  }
  if (what == "family") Family(argument);
  if (what == "orphan") {
    if (fork() == 0) {
      alarm(60);
      WaitForEver();
    }
    PrintToken("from the parent");
  }
  return 0;
}
