// protoc's plugin: kube_library in kube_library.bzl runs it.

#include <google/protobuf/compiler/plugin.h>

#include "codegen/generator.h"

int main(int argc, char* argv[]) {
  const kube::codegen::Generator generator;
  return google::protobuf::compiler::PluginMain(argc, argv, &generator);
}
