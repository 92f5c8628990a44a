// RUN: proj-opt %s | FileCheck %s
module attributes {edge.go = #edge.go} {
  func.func @take(%b: !core.box) -> !core.value<width = 4> {
    %a_long_name_of_a_value_that_fills_the_line, %another_long_name_of_a_value_that_fills_the_line = edge.open %b #edge.range<0, fast, slow> : !core.box -> !core.value<width = 4>, !core.value<width = 4>
    %v = core.take %b fast : !core.box -> !core.value<width = 4>
    // expected-error @+1 {{no such box}}
    %w = core.count %v : !core.value<width = 4>
    return %v : !core.value<width = 4>
  }
}
