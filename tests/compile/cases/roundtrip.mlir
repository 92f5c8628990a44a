// The whole surface of the dialect, in other orders and with other spaces than it is printed.
// RUN:
// Enums, attributes with defaults, result names.
%wheat = mill.harvest : !mill.grain<wheat>
%rye = mill.harvest in winter : !mill.grain<rye>

// oilist: any order in, one order out.
%t0 = mill.ticket
%t1 = mill.ticket
%f0 = mill.grind %wheat : !mill.grain<wheat>
%f1 = mill.grind %wheat by "Ada" fine for (%t0, %t1) passes = 4 : !mill.grain<wheat>
%f2 = mill.grind %rye minding [dry, slow] {stamp = "free"} : !mill.grain<rye>
%f3 = mill.grind %rye minding [gentle] : !mill.grain<rye>
%f4 = mill.grind %rye minding [none] passes = 3 {mill.stamp = "checked"} : !mill.grain<rye>

// Types.
%s0, %s1 = mill.ship : () -> (!mill.flour<rye>, !mill.flour<wheat, grade = 550>)
%s2, %s3 = mill.ship : () -> (!mill.flour<oat sieves[1, 2, 3]>, !mill.flour<rye, grade = 1150 sieves [7]>)
%s4, %s5 = mill.ship : () -> (!mill.sack<i32>, !mill.sack<!mill.sack<!mill.grain<oat>>, "inner" (!mill.sack<!mill.grain<oat>>)>)
%s6 = mill.ship : () -> (!mill.crate<width = 3, height = -4, wood = "oak">)
%s7 = mill.ship : () -> (!mill.crate<height = 1, width = 2>)
%s8 = mill.ship : () -> (!mill.route<"hill" to "dale">)
%s9, %s10 = mill.ship %s6, %s7 : (!mill.crate<width = 3, height = -4, wood = "oak">, !mill.crate<width = 2, height = 1>) -> (i1, !mill.route<"a" to "b" to "c">)

// Attributes.
mill.note rye, <"fresh" : count = 3> [] at once
mill.note oat, <"old\0A" : each = 20, count = 2, cereal = oat> [#mill.range<1 up to 5>, #mill.range<-2 up to 2>] weighs #mill.weight<42> : i16 extra "text" steps [1, 2] attributes {other = #mill.weight<7>, mask = #mill<care[cold]>, of_kind = #mill<cereal wheat>}
mill.note wheat, <"typed" : count = 1> [] extra 5 : i64 at once of !mill.flour<rye>

// Properties.
%m = mill.mass 5
%p0 = mill.press %m turns 3 : i32
%p1 = mill.press %m turns -2 dry limit = 9 <{wood = "elm", steps = array<i64: 1, 2>, cereal = #mill<cereal rye>}> : i32
%p2 = mill.press %rye turns 0 {hint = 1 : i8} : !mill.grain<rye>
mill.gear <{teeth = 12 : i64}>
mill.gear <{teeth = 3 : i64, speed = 4 : i32}> {oiled}

// Segments, groups with and without else.
%b:2 = mill.ship : () -> (i32, i1)
%r:2 = mill.pour(%b#0, %m) alone -> (i32, i32)
mill.pour slowly () on %t0 with %t1, %b#1 : !mill.ticket, i1 off
%q, %spill = mill.pour(%m) with %rye : !mill.grain<rye> -> (i32) spill !mill.grain<oat>
mill.stack %m rows (%m, %b#1), (), (%rye) : (i32, i1), (), (!mill.grain<rye>)
mill.stack %m rows :
%w = mill.match %m, %b#0 : i32
%v = mill.match %s0, %f2 {strict = true} : !mill.flour<rye>
%melt = mill.melt[%w, %v : i32, !mill.flour<rye>]

// Custom directives.
mill.label <"ab"> %m, %rye : i32, !mill.grain<rye> depth *** size 4 {
  mill.hand 5 fingers
}
mill.label <""> unmarked depth {
} {kept}

// Regions, symbols, successors.
mill.recipe @bread for summer attributes {sym_visibility = "private"} {
  mill.hand 10 fingers {left = 4 : i32}
  mill.rest
}
mill.recipe @"white bread" {
  %0 = mill.mass 1
  %1 = mill.add %0, %0
}
mill.follow @bread
mill.when %b#1 {
  mill.follow @"white bread" {times = 2 : i32}
}
mill.when %b#1 {
  mill.rest
} else {
  mill.rest %m : i32
} {odd}
mill.day {
  mill.decide %b#1 -> ^yes or ^no, ^maybe
^yes:
  mill.hurry to ^no
^no:
  mill.rest %m, %b#1 : i32, i1
^maybe:
  mill.decide %b#1 -> ^no or
} breaks {
  mill.rest
}, {
  mill.rest
}
mill.day {
  mill.rest
}

// Operations that the patterns rewrite, unchanged without them.
%x = mill.scale %m by 3
%c, %d = mill.split %x
%e:3 = mill.sieve %x
%g = mill.sum(%e#0, %e#1)
%h = mill.mix %c, %d of oat note "n"
%i = mill.mix %c, %d
%j = mill.convert %h "how" : i32 to i64
%k = mill.turn %i times 4
%l = mill.try "nothing"(%j, %k : i64, i32)
%n = mill.join %k, %l
mill.log %n "done"
