// import_crd: the IDL of CustomResourceDefinitions. See --help.

#include <iostream>
#include <string>
#include <vector>

#include "cmd/import_crd/run.h"

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  return kube::import_crd::Run(arguments, std::cout, std::cerr);
}
