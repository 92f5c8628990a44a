// Invalid input, and the messages about it: of parsers, of generated and of own verifiers, in their order.
// RUN: -split-input-file -verify-diagnostics

// Enums and types.
// expected-error @+2 {{expected ::mill::Cereal to be one of: rye, wheat, oat}}
// expected-error @+1 {{failed to parse Mill_Grain parameter 'cereal' which is to be a `::mill::Cereal`}}
%0 = mill.harvest : !mill.grain<barley>
// -----
// expected-error @+1 {{expected 'grade'}}
%0 = mill.ship : () -> !mill.flour<rye, 550>
// -----
// expected-error @+1 {{oat flour has no grade, but 550 is given}}
%0 = mill.ship : () -> !mill.flour<oat, grade = 550>
// -----
// expected-error @+1 {{the label is of another content}}
%0 = mill.ship : () -> !mill.sack<i32, "x" (i16)>
// -----
// expected-error @+1 {{struct is missing required parameter: height}}
%0 = mill.ship : () -> !mill.crate<width = 3>
// -----
// expected-error @+1 {{duplicate or unknown struct parameter name: width}}
%0 = mill.ship : () -> !mill.crate<width = 3, width = 3>
// -----
// expected-error @+2 {{expected valid keyword}}
// expected-error @+1 {{expected a parameter name in struct}}
%0 = mill.ship : () -> !mill.crate<"width" = 3>
// -----
// expected-error @+1 {{unknown  type `sackcloth` in dialect `mill`}}
%0 = mill.ship : () -> !mill.sackcloth
// -----
// expected-error @+1 {{a batch of 0}}
mill.note rye, <"none" : count = 0> [] at once
// -----
// expected-error @+1 {{unknown attribute `bundle` in dialect `mill`}}
mill.hand 1 fingers {x = #mill.bundle<1>}
// -----
// expected-error @+1 {{attribute 'ranges' failed to satisfy constraint: ranges}}
mill.note rye, <"x" : count = 1> [1 : i32] at once
// -----
// expected-error @+1 {{attribute 'extra' failed to satisfy constraint: string attribute or 64-bit signless integer attribute}}
mill.note rye, <"x" : count = 1> [] extra 1 : i32 at once
// -----
// expected-error @+1 {{attribute 'of' failed to satisfy constraint: type attribute of flour of one cereal}}
mill.note rye, <"x" : count = 1> [] at once of i32

// Attributes and operands of operations.
// -----
%rye = mill.harvest : !mill.grain<rye>
// expected-error @+1 {{attribute 'passes' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 1 whose maximum value is 9}}
%0 = mill.grind %rye passes = 10 : !mill.grain<rye>
// -----
%rye = mill.harvest : !mill.grain<rye>
// expected-error @+1 {{`fine` clause can appear at most once in the expansion of the oilist directive}}
%0 = mill.grind %rye fine fine : !mill.grain<rye>
// -----
%rye = mill.harvest : !mill.grain<rye>
// expected-error @+1 {{'mill.grind' op grinds fine in 1 pass}}
%0 = mill.grind %rye passes = 1 fine : !mill.grain<rye>
// -----
%rye = mill.harvest : !mill.grain<rye>
// expected-error @+1 {{op failed to verify that the flour is of the grain}}
%0 = "mill.grind"(%rye) <{passes = 3 : i32}> : (!mill.grain<rye>) -> !mill.flour<wheat>
// -----
%m = mill.mass 4
// expected-error @+1 {{operand #0 must be grain of one cereal, but got 'i32'}}
%0 = "mill.grind"(%m) : (i32) -> !mill.flour<wheat>
// -----
// expected-error @+1 {{requires attribute 'grams'}}
%m = "mill.mass"() : () -> i32
// -----
// expected-error @+1 {{result #0 must be 32-bit signless integer, but got 'i16'}}
%m = "mill.mass"() <{grams = 1 : i32}> : () -> i16
// -----
%m = mill.mass 1
// expected-error @+1 {{expected 2 operands, but found 1}}
%0 = "mill.add"(%m) : (i32) -> i32
// -----
// expected-error @+1 {{expected 1 or more operands, but found 0}}
"mill.stack"() <{layers = array<i32>}> : () -> ()
// -----
%m = mill.mass 1
// expected-error @+1 {{rows count (1) does not match with the total size (2) specified in attribute 'layers'}}
"mill.stack"(%m, %m) <{layers = array<i32: 2>}> : (i32, i32) -> ()
// -----
%m = mill.mass 1
// expected-error @+1 {{operand count (1) does not match with the total size (2) specified in attribute 'operandSegmentSizes'}}
"mill.pour"(%m) <{operandSegmentSizes = array<i32: 1, 0, 1>, resultSegmentSizes = array<i32: 0, 0>}> : (i32) -> ()
// -----
%t = mill.ticket
// expected-error @+1 {{operand group starting at #0 requires 0 or 1 element, but found 2}}
"mill.pour"(%t, %t) <{operandSegmentSizes = array<i32: 0, 2, 0>, resultSegmentSizes = array<i32: 0, 0>}> : (!mill.ticket, !mill.ticket) -> ()
// -----
%m = mill.mass 1
// expected-error @+1 {{op failed to verify that left and right differ}}
%0 = mill.match %m, %m : i32
// -----
%m, %n = mill.ship : () -> (i32, i64)
// expected-error @+1 {{op failed to verify that all of {left, right, winner} have same type}}
%0 = "mill.match"(%m, %n) : (i32, i64) -> i32
// -----
%m, %n = mill.ship : () -> (!mill.grain<oat>, !mill.grain<oat>)
// expected-error @+1 {{operand #0 must be flour of one cereal or something of rye or 32-bit signless integer, but got '!mill.grain<oat>'}}
%0 = mill.match %m, %n : !mill.grain<oat>
// -----
// expected-error @+1 {{nothing to melt}}
%0 = mill.melt[]
// -----
%m = mill.mass 1
// expected-error @+2 {{'mill.melt' op failed to infer returned types}}
// expected-error @+1 {{'mill.melt' op inferred type(s) 'i32' are incompatible with return type(s) of operation 'i16'}}
%0 = "mill.melt"(%m) : (i32) -> i16

// Properties.
// -----
// expected-error @+1 {{property 'teeth' failed to satisfy constraint: more than two teeth}}
mill.gear <{teeth = 2 : i64}>
// -----
// expected-error @+1 {{expected key entry for teeth in DictionaryAttr to set Properties}}
mill.gear <{speed = 2 : i32}>
// -----
// expected-error @+1 {{attribute 'speed' failed to satisfy constraint: 32-bit signless integer attribute}}
mill.gear <{teeth = 4 : i64, speed = 2 : i16}>
// -----
%m = mill.mass 5
// expected-error @+2 {{expected integer value}}
// expected-error @+1 {{invalid value for property turns, expected int64_t}}
%0 = mill.press %m turns many : i32
// -----
%m = mill.mass 5
// expected-error @+1 {{'mill.press' op takes 1500 minutes, more than a day}}
%0 = mill.press %m turns 25 : i32

// Formats.
// -----
// expected-error @+1 {{expected 'fingers'}}
mill.hand 5 toes
// -----
%m = mill.mass 5
// expected-error @+1 {{1 marks on 2 letters}}
mill.label <"ab"> %m : i32 depth {}
// -----
%m = mill.mass 5
// expected-error @+1 {{expected 'alone'}}
mill.pour(%m) off
// -----
%m = mill.mass 5
// expected-error @+1 {{number of operands and types do not match: got 1 operands and 2 types}}
mill.pour(%m) with %m : i32, i32 off
// -----
// expected-error @+1 {{expected valid '@'-identifier for symbol name}}
mill.recipe bread {}

// Regions, successors, symbols.
// -----
// expected-error @+1 {{'mill.recipe' op has no name}}
mill.recipe @"" {}
// -----
// expected-error @+1 {{'mill.recipe' op has no step}}
mill.recipe @empty {}
// -----
// expected-error @+1 {{region #0 ('body') failed to verify constraint: region with 1 blocks}}
"mill.recipe"() <{sym_name = "r"}> ({}) : () -> ()
// -----
// expected-error @+1 {{region #0 ('work') failed to verify constraint: region with at least 1 blocks}}
mill.day {}
// -----
%m = mill.mass 5
// expected-note @+1 {{required by region isolation constraints}}
mill.recipe @isolated {
  // expected-error @+1 {{using value defined outside the region}}
  %0 = mill.add %m, %m
}
// -----
// expected-error @+1 {{'mill.follow' op follows bread, which is no recipe}}
mill.follow @bread
// -----
%flag = mill.ship : () -> i1
"mill.when"(%flag) ({
  // expected-error @+1 {{block with no terminator}}
  mill.hand 5 fingers
}, {}) : (i1) -> ()
// -----
%flag = mill.ship : () -> i1
// expected-error @+1 {{expects region #1 to have 0 or 1 blocks}}
mill.when %flag {} else {
  mill.rest
^second:
  mill.rest
}
// -----
mill.day {
  // expected-error @+1 {{reference to an undefined block}}
  mill.hurry to ^nowhere
}
// -----
// expected-error @+1 {{has a stamp that is no text}}
mill.hand 5 fingers {mill.stamp = 5 : i32}
