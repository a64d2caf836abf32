// Uses one kind of a library with many; link_test checks what is linked.

#include <iostream>

#include "tests/kitchen_sink/sink.kube.h"

int main() {
  const kube::kitchen::sink::v1::Tap tap{.metadata = {.name = "kitchen"}, .open = true};
  const kube::kitchen::sink::v1::Tap copy = tap;
  std::cout << copy << std::endl;
  return copy == tap ? 0 : 1;
}
