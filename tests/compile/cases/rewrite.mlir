// Each pattern of MillPatterns.td on input that it fits and, where it has conditions, on input that it does not. What
// is dead goes, so every result is handed on to a recipe's end.
// RUN: -split-input-file -mill-rewrite

mill.recipe @add_nothing {
  %x = mill.ship : () -> i32
  %0 = mill.mass 0
  %1 = mill.mass 1
  %2 = mill.add %x, %0
  %3 = mill.add %x, %1
  %4 = mill.add %0, %x
  mill.rest %2, %3, %4 : i32, i32, i32
}
// -----
mill.recipe @add_twice {
  %x, %y = mill.ship : () -> (i32, i32)
  %0 = mill.add %x, %x
  %1 = mill.add %x, %y
  mill.rest %0, %1 : i32, i32
}
// -----
mill.recipe @scale_scale {
  %x = mill.ship : () -> i32
  %0 = mill.scale %x by 5
  %1 = mill.scale %0 by 6
  %2 = mill.scale %x by 50
  %3 = mill.scale %2 by 60
  %4 = mill.scale %x by 7
  %5 = mill.scale %4 by 8
  mill.rest %1, %3, %4, %5 : i32, i32, i32, i32
}
// -----
mill.recipe @either {
  %x, %y = mill.ship : () -> (i32, i32)
  %m = mill.mass 9
  %0 = mill.join %x, %m
  %1 = mill.join %m, %y
  %2 = mill.join %x, %y
  mill.rest %0, %1, %2 : i32, i32, i32
}
// -----
mill.recipe @enums_and_optional_attributes {
  %x, %y = mill.ship : () -> (i32, i32)
  %0 = mill.mix %x, %y of wheat note "join"
  %1 = mill.mix %x, %y of wheat
  %2 = mill.mix %x, %y of oat
  %3 = mill.mix %x, %y of oat note "kept"
  %4 = mill.mix %x, %y
  mill.rest %0, %1, %2, %3, %4 : i32, i32, i32, i32, i32
}
// -----
mill.recipe @native_source {
  %x = mill.ship : () -> i32
  %even = mill.mass 42
  %odd = mill.mass 43
  %0 = mill.convert %even "halved" : i32 to i32
  %1 = mill.convert %odd "halved" : i32 to i32
  %2 = mill.convert %x "halved" : i32 to i32
  mill.rest %0, %1, %2 : i32, i32, i32
}
// -----
mill.recipe @any_constant {
  %x = mill.ship : () -> i32
  %light = mill.mass 100000
  %heavy = mill.mass 100001
  %0 = mill.add %x, %light
  %1 = mill.add %x, %heavy
  mill.rest %0, %1 : i32, i32
}
// -----
mill.recipe @inputs {
  %x, %y = mill.ship : () -> (i32, i64)
  %0 = mill.try "inputs"(%x, %y : i32, i64)
  %1 = mill.try "inputs"(%x, %0, %0 : i32, i32, i32)
  %2 = mill.try "inputs"(%x : i32)
  mill.rest %0, %1, %2 : i32, i32, i32
}
// -----
mill.recipe @shared {
  %x, %y = mill.ship : () -> (i32, i32)
  %7 = mill.mass 7
  %s = mill.scale %x by 11
  %t = mill.scale %y by 12
  %0 = mill.add %s, %7
  %1 = mill.add %t, %7
  %2 = mill.try "shared one"(%0 : i32)
  %3 = mill.try "shared two"(%x, %1 : i32, i32)
  %4 = mill.try "shared two"(%1, %x : i32, i32)
  mill.rest %2, %3, %4 : i32, i32, i32
}
// -----
mill.recipe @properties {
  %x = mill.ship : () -> i32
  %0 = mill.turn %x times 1
  %1 = mill.turn %0 times 3
  %2 = mill.turn %1 times 4
  mill.rest %2 : i32
}
// -----
mill.recipe @constraints_on_several {
  %x, %y = mill.ship : () -> (i32, i64)
  %0 = mill.convert %x : i32 to i64
  %1 = mill.convert %0 "away" : i64 to i32
  %2 = mill.convert %y : i64 to i16
  %3 = mill.convert %2 "away" : i16 to i32
  %4 = mill.convert %0 "stay" : i64 to i32
  mill.rest %1, %3, %4 : i32, i32, i32
}
// -----
mill.recipe @bound_result {
  %0 = mill.try "bound result"()
  mill.rest %0 : i32
}
// -----
mill.recipe @native_build {
  %x, %y, %z = mill.ship : () -> (i32, i32, i32)
  %0 = mill.try "native build"(%x, %y, %z : i32, i32, i32)
  mill.rest %0 : i32
}
// -----
mill.recipe @native_two {
  %x = mill.ship : () -> i32
  %0 = mill.try "native two"(%x : i32)
  mill.rest %0 : i32
}
// -----
mill.recipe @auxiliary_and_supplemental {
  %x = mill.ship : () -> i32
  %0 = mill.try "auxiliary"(%x : i32)
  %1 = mill.try "supplemental"(%x : i32)
  mill.rest %0, %1 : i32, i32
}
// -----
mill.recipe @several_results {
  %x, %y = mill.ship : () -> (i32, i32)
  %sum = mill.add %x, %y
  %scaled = mill.scale %x by 9
  %0, %1 = mill.split %sum
  %2, %3 = mill.split %scaled
  %4, %5 = mill.split %scaled
  %6, %7, %8 = mill.sieve %sum
  %9, %10, %11 = mill.sieve %scaled
  mill.rest %0, %1, %2, %4, %5, %6, %7, %8, %9, %10, %11 : i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32
}
// -----
mill.recipe @return_type {
  %x, %y = mill.ship : () -> (i32, i8)
  %0 = mill.try "return type"(%x, %y : i32, i8)
  mill.rest %0 : i32
}
// -----
mill.recipe @benefit {
  %x = mill.ship : () -> i32
  %0 = mill.try "benefit"(%x : i32)
  mill.rest %0 : i32
}
