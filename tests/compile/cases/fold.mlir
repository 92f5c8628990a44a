// Folders, a folder's constant made by the dialect, a canonicalize method, and patterns as canonicalization patterns.
// RUN: -canonicalize

mill.recipe @folds {
  %x = mill.ship : () -> i32
  %0 = mill.mass 20
  %1 = mill.mass 22
  %2 = mill.add %0, %1
  %3 = mill.add %x, %2
  %4 = mill.scale %3 by 1
  %5 = mill.scale %3 by 2
  %6 = mill.mass 0
  %7 = mill.add %x, %6
  %8 = mill.add %7, %7
  %dead = mill.scale %x by 7
  mill.rest %2, %4, %5, %8 : i32, i32, i32, i32
}
